/** A server-sent event as the control API writes it, with a single `data` line. */
export interface StreamMessage {
  readonly event: string;
  readonly data: string;
}

/** The messages of a stream; `onActivity` is called for pings too. */
export async function* readMessages(
  body: ReadableStream<Uint8Array>,
  onActivity: () => void,
): AsyncGenerator<StreamMessage> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let unfinished = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onActivity();
    const blocks = (unfinished + decoder.decode(value, { stream: true })).split('\n\n');
    unfinished = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map(fieldOf));
      const data = fields.get('data');
      if (data !== undefined) yield { event: fields.get('event') ?? 'message', data };
    }
  }
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon), line.slice(colon + 2)];
}
