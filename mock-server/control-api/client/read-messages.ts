import { createEventParser, type ServerEvent } from '../../../src/server-sent-events.ts';

/** The server-sent events of a stream; `onActivity` is called for pings too. */
export async function* readMessages(
  body: ReadableStream<Uint8Array>,
  onActivity: () => void,
): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parse = createEventParser();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onActivity();
    yield* parse(decoder.decode(value, { stream: true }));
  }
}
