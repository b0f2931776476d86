import type { AttemptFailed, ByteStream } from './attempt-io.ts';

/** One server-sent event. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** An unfinished event may not be longer than this many characters. */
const MAX_EVENT = 16 * 1024 * 1024;

/** The events of a stream; bytes are read only when an event is asked for. An unfinished one at the end is dropped. */
export async function* readEvents(
  stream: ByteStream,
): AsyncGenerator<ServerEvent, void, undefined> {
  const decoder = new TextDecoder();
  const parse = createEventParser();
  for (let bytes = await stream.read(); bytes; bytes = await stream.read()) {
    yield* parse(decoder.decode(bytes, { stream: true }));
  }
}

/** A parser that takes text in any pieces and gives the events that they complete (HTML, section 9.2.6). */
export function createEventParser(maxLength = MAX_EVENT): (text: string) => ServerEvent[] {
  let unfinished: string[] = [];
  let length = 0;
  let event = '';
  let data: string[] = [];
  let returned = false;
  return (piece) => {
    const events: ServerEvent[] = [];
    // A carriage return ends a line by itself: the line feed after it may come with the next piece, or never.
    const text = returned && piece.startsWith('\n') ? piece.slice(1) : piece;
    if (piece !== '') returned = piece.endsWith('\r');
    length += text.length;
    if (length > maxLength) {
      const failure = { code: 'invalid_response', hint: 'An event is too long.' } as const;
      throw { failure } satisfies AttemptFailed;
    }
    unfinished.push(text);
    // Joined only when a line ends, or a long line in many pieces would be copied for each.
    if (!/[\r\n]/.test(text)) return events;
    const lines = unfinished.join('').split(/\r\n|\n|\r/);
    unfinished = [lines.pop() ?? ''];
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push({ event, data: data.join('\n') });
        event = '';
        data = [];
        continue;
      }
      const [, field, value = ''] = /^([^:]*)(?:: ?)?(.*)$/s.exec(line) ?? [];
      if (field === 'data') data.push(value);
      if (field === 'event') event = value;
    }
    length = unfinished[0]?.length ?? 0;
    for (const line of data) length += line.length;
    return events;
  };
}
