import { AttemptFailed } from './read-response.ts';

/** One server-sent event. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * A parser that takes text in chunks of any size and returns the events that each chunk completes (HTML, section
 * 9.2.6). An unfinished event can grow to `maxLength` characters.
 */
export function createEventParser(maxLength = Infinity): (text: string) => ServerEvent[] {
  let unfinished: string[] = [];
  let unfinishedLength = 0;
  let dataLength = 0;
  let event = '';
  let data: string[] = [];
  let endedWithReturn = false;
  const checkLength = (length: number) => {
    if (length <= maxLength) return;
    const hint = `A server-sent event is longer than \`maxResponseBytes\` (${maxLength}).`;
    throw new AttemptFailed({ code: 'response_too_large', hint });
  };
  return (chunk) => {
    const events: ServerEvent[] = [];
    // A carriage return ends a line at once: the line feed that belongs to it might come with the next chunk, or never.
    const text = endedWithReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
    if (chunk !== '') endedWithReturn = chunk.endsWith('\r');
    unfinished.push(text);
    unfinishedLength += text.length;
    // Joined only when a line ends: a long line in many chunks would otherwise be copied for each of them.
    if (!/[\r\n]/.test(text)) {
      checkLength(dataLength + unfinishedLength);
      return events;
    }
    const lines = unfinished.join('').split(/\r\n|\n|\r/);
    unfinished = [lines.pop() ?? ''];
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push({ event, data: data.join('\n') });
        event = '';
        data = [];
        dataLength = 0;
        continue;
      }
      const [, field, value = ''] = /^([^:]*)(?:: ?)?(.*)$/s.exec(line) ?? [];
      if (field === 'data') {
        data.push(value);
        dataLength += value.length;
        checkLength(dataLength);
      }
      if (field === 'event') event = value;
    }
    unfinishedLength = unfinished[0]?.length ?? 0;
    checkLength(dataLength + unfinishedLength);
    return events;
  };
}
