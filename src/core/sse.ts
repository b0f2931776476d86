import { AttemptFailed, type ByteStream } from './attempt-io.ts';

/** One server-sent event. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** How long an unfinished event can get, in characters. */
const MAX_EVENT_LENGTH = 16 * 1024 * 1024;

/** The events of a stream. Bytes are read only when an event is asked for; an unfinished event at the end is dropped. */
export async function* readEvents(
  stream: ByteStream,
): AsyncGenerator<ServerEvent, void, undefined> {
  const decoder = new TextDecoder();
  const parse = createEventParser();
  for (let bytes = await stream.read(); bytes; bytes = await stream.read()) {
    yield* parse(decoder.decode(bytes, { stream: true }));
  }
}

/**
 * A parser that takes text in chunks of any size and returns the events that each chunk completes (HTML, section 9.2.6).
 */
export function createEventParser(maxLength = MAX_EVENT_LENGTH): (text: string) => ServerEvent[] {
  let unfinished: string[] = [];
  let length = 0;
  let event = '';
  let data: string[] = [];
  let endedWithReturn = false;
  return (chunk) => {
    const events: ServerEvent[] = [];
    // A carriage return ends a line at once: the line feed that belongs to it might come with the next chunk, or never.
    const text = endedWithReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
    if (chunk !== '') endedWithReturn = chunk.endsWith('\r');
    length += text.length;
    if (length > maxLength) {
      const hint = `A server-sent event is longer than ${maxLength} characters.`;
      throw new AttemptFailed({ code: 'invalid_response', hint });
    }
    unfinished.push(text);
    // Joined only when a line ends: a long line in many chunks would otherwise be copied for each of them.
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
