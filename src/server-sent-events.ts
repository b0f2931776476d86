export interface ServerEvent {
  readonly event: string;
  /** Its own `id:` line. */
  readonly id?: string | undefined;
  readonly data: string;
}

/** Length in UTF-8. React Native has no `TextEncoder`. The halves of a surrogate pair take two bytes each. */
function byteLength(text: string): number {
  const wide = text.match(/[\x80-\uffff]/g);
  if (!wide) return text.length;
  return text.length + wide.length + (text.match(/[\u0800-\ud7ff\ue000-\uffff]/g)?.length ?? 0);
}

/**
 * A parser that takes text in chunks of any size and returns the events that each chunk completes (HTML, section
 * 9.2.6). The `event`, `data` and `id` lines of an event can have `maxBytes` in all; then `onTooLong` throws. Comments and
 * other fields do not count and are not kept.
 */
export function createEventParser(
  maxBytes = Infinity,
  onTooLong?: () => never,
): (text: string) => ServerEvent[] {
  let event = '';
  let data: string | undefined;
  let id: string | undefined;
  let line = '';
  /** Whether the current line counts; `undefined` while its field is unknown. */
  let isKept: boolean | undefined;
  let bytes = 0;
  let endedWithReturn = false;

  const add = (piece: string) => {
    if (isKept === false || piece === '') return;
    line += piece;
    bytes += byteLength(piece);
    // Decided only once: a long line in many chunks would otherwise be read again for each of them.
    if (isKept === undefined) {
      const [field = ''] = /^[^:]{0,6}/.exec(line) ?? [];
      if (field.length < 6 && field.length === line.length) return;
      isKept = /^(data|event|id)$/.test(field);
      if (!isKept) drop();
    }
    if (isKept && bytes > maxBytes) onTooLong?.();
  };
  const drop = () => {
    bytes -= byteLength(line);
    line = '';
  };
  /** Ends the current line; an empty one completes an event. */
  const end = (): ServerEvent | undefined => {
    const isEmpty = line === '' && isKept === undefined;
    const [, field, value = ''] = /^([^:]*)(?:: ?)?(.*)$/s.exec(line) ?? [];
    if (field === 'data') data = data === undefined ? value : `${data}\n${value}`;
    else if (field === 'event') event = value;
    // A header could not carry it back.
    else if (field === 'id') id = value.includes('\0') ? id : value;
    else drop();
    line = '';
    isKept = undefined;
    if (bytes > maxBytes) onTooLong?.();
    if (!isEmpty) return undefined;
    const completed = data === undefined ? undefined : { event, data, id };
    event = '';
    data = undefined;
    id = undefined;
    bytes = 0;
    return completed;
  };

  return (chunk) => {
    const events: ServerEvent[] = [];
    // A carriage return ends a line at once: the line feed that belongs to it might come with the next chunk, or never.
    const text = endedWithReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
    if (chunk !== '') endedWithReturn = chunk.endsWith('\r');
    text.split(/\r\n|\n|\r/).forEach((piece, index) => {
      const completed = index > 0 && end();
      if (completed) events.push(completed);
      add(piece);
    });
    return events;
  };
}
