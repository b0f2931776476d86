export interface Item {
  readonly text: string;
  readonly name: 'signature' | 'timestamp' | undefined;
  readonly before: string;
  readonly after: string;
}

/** What stands between the parts: a comma or semicolon of the format, else a space, which several signatures have. */
export const separatorOf = (format: string): string => /[,;]/.exec(format)?.[0] ?? ' ';

/** The parts of a format such as `t={timestamp},v1={signature}`. */
export function itemsOf(format: string): readonly Item[] {
  return format.split(separatorOf(format)).map((text) => {
    const [whole = '', name] = /\{(signature|timestamp)\}/.exec(text) ?? [];
    const at = name === undefined ? text.length : text.indexOf(whole);
    return {
      text,
      name: name as Item['name'],
      before: text.slice(0, at),
      after: text.slice(at + whole.length),
    };
  });
}

/** What stands in the place of the placeholder; `undefined` if the part is another one. */
export function valueIn(part: string, { before, after }: Item): string | undefined {
  const text = part.trim();
  if (!text.startsWith(before) || !text.endsWith(after)) return undefined;
  return text.length < before.length + after.length
    ? undefined
    : text.slice(before.length, text.length - after.length);
}

export function fillTemplate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? `${values[name]}` : whole,
  );
}

export function isFormat(format: string): boolean {
  const items = itemsOf(format);
  const named = items.filter(({ name }) => name !== undefined);
  const isOnce = (text: string) => format.split(text).length === 2;
  const isDistinct =
    named.length === 1 || new Set(named.map(({ before }) => before)).size === named.length;
  const hasTime = format.includes('{timestamp}');
  const isUnambiguous =
    items.length === 1 || named.every(({ before }) => before !== '' && /[=:]$/.test(before));
  return (
    /^[!-~]{1,128}$/.test(format) &&
    format.match(/\{[^{}]*\}/g)?.every((text) => /^\{(signature|timestamp)\}$/.test(text)) ===
      true &&
    isOnce('{signature}') &&
    (!hasTime || isOnce('{timestamp}')) &&
    // One part holds one value.
    named.length === (hasTime ? 2 : 1) &&
    isDistinct &&
    isUnambiguous
  );
}
