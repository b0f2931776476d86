/**
 * Control, format and unassigned characters, lone surrogates and line separators: with these, text could forge log
 * lines.
 */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]+/gu;

export const printable = (text: string): string => text.replace(unprintable, ' ');

/** The text without this letter at its end, however often it stands there. */
export function withoutTrailing(text: string, letter: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === letter) end -= 1;
  return text.slice(0, end);
}

/** Text from outside for a message: only printable characters, and no more than `limit` of them. */
export function cleanText(text: string, limit = 200): string {
  const clean = printable(text.slice(0, limit + 1));
  return clean.length > limit ? `${clean.slice(0, limit)}…` : clean;
}

/** `cleanText` for a value that might not be a string; anything else is returned as it is. */
export const cleanValue = (value: unknown): unknown =>
  typeof value === 'string' ? cleanText(value) : value;

/** A code or a name of the service. Anything but one word of ASCII is `…`: it could quote the caller. */
export const cleanWord = (value: unknown): unknown =>
  typeof value !== 'string' || /^[!-~]{0,200}$/.test(value) ? value : '…';

/**
 * A JSON Pointer without user text: the first segment is a field of the contract and numbers are positions, but a
 * deeper segment is a key that the user chose, so it becomes `*`, as in `/metadata/*`.
 */
export function safePointer(pointer: unknown): unknown {
  if (typeof pointer !== 'string') return pointer;
  const [start = '', field = '', ...keys] = pointer.slice(0, 1000).split('/');
  if (start !== '' || !/^\w{0,64}$/.test(field)) return '/*';
  const safeKeys = keys.slice(0, 8).map((key) => (/^\d{1,9}$/.test(key) ? key : '*'));
  return pointer === '' ? '' : ['', field, ...safeKeys].join('/');
}
