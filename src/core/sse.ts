import { createParser } from 'eventsource-parser';
import { AttemptFailed, type ByteStream } from './exchange.ts';

/** One server-sent event. */
export interface ServerEvent {
  readonly event: string | undefined;
  readonly data: string;
}

/** An event, or an unfinished one, may not be longer than this many characters. */
const MAX_EVENT = 16 * 1024 * 1024;

/** The events of a stream; bytes are read only when an event is asked for. */
export async function* readEvents(
  stream: ByteStream,
): AsyncGenerator<ServerEvent, void, undefined> {
  const decoder = new TextDecoder();
  let events: ServerEvent[] = [];
  let tooLong = false;
  const parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent: ({ event, data }) => events.push({ event, data }),
    onError: ({ type }) => {
      tooLong ||= type === 'max-buffer-size-exceeded';
    },
  });
  for (let bytes = await stream.read(); bytes; bytes = await stream.read()) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    yield* events;
    events = [];
    if (tooLong)
      throw new AttemptFailed({ code: 'invalid_response', hint: 'An event is too long.' });
  }
}
