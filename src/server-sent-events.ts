/** One server-sent event. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * A parser that takes text in chunks of any size and returns the events that each chunk completes (HTML, section
 * 9.2.6). An unfinished event can grow to `maxLength` characters; then `onTooLong` throws.
 */
export function createEventParser(
  maxLength = Infinity,
  onTooLong?: () => never,
): (text: string) => ServerEvent[] {
  let unfinishedLine = '';
  let event = '';
  let data: string | undefined;
  let endedWithReturn = false;
  const checkLength = (length: number) => {
    if (length > maxLength) onTooLong?.();
  };
  return (chunk) => {
    const events: ServerEvent[] = [];
    // A carriage return ends a line at once: the line feed that belongs to it might come with the next chunk, or never.
    const text = endedWithReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
    if (chunk !== '') endedWithReturn = chunk.endsWith('\r');
    unfinishedLine += text;
    // Only the new text is searched: a long line in many chunks would otherwise be read again for each of them.
    if (/[\r\n]/.test(text)) {
      const lines = unfinishedLine.split(/\r\n|\n|\r/);
      unfinishedLine = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') {
          if (data !== undefined) events.push({ event, data });
          event = '';
          data = undefined;
          continue;
        }
        const [, field, value = ''] = /^([^:]*)(?:: ?)?(.*)$/s.exec(line) ?? [];
        if (field === 'data') {
          data = data === undefined ? value : `${data}\n${value}`;
          checkLength(data.length);
        }
        if (field === 'event') event = value;
      }
    }
    checkLength(unfinishedLine.length + (data?.length ?? 0));
    return events;
  };
}
