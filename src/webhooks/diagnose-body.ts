/** A body that may be what was signed, and what happened to it if so. */
export interface Variant {
  readonly finding?: string;
  readonly bytes: Uint8Array;
}

type Rewrite = (text: string) => string;

const lines: readonly [string, Rewrite][] = [
  ['the body with a newline at its end, which was cut off', (text) => `${text}\n`],
  ['the body with a CRLF at its end, which was cut off', (text) => `${text}\r\n`],
  ['the body without the white space at its end, which was added', (text) => text.trimEnd()],
  ['the body with LF line ends, which became CRLF', (text) => text.replace(/\r\n/g, '\n')],
  ['the body with CRLF line ends, which became LF', (text) => text.replace(/\r?\n/g, '\r\n')],
  ['the body with a byte order mark, which was dropped', (text) => `\uFEFF${text}`],
  ['the body without the byte order mark that it has now', (text) => text.replace(/^\uFEFF/, '')],
];

const reserialised = 'the body before it was parsed and written again (JSON.stringify)';

/** `JSON.stringify` of a parsed body loses spacing and escapes; these are the usual ones that it had. */
const serialisations: readonly ((value: unknown) => string)[] = [
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, null, 2),
  (value) => JSON.stringify(value, null, 4),
  (value) => JSON.stringify(value, null, '\t'),
  spaced,
  (value) => ascii(spaced(value)),
  (value) => ascii(JSON.stringify(value)),
  (value) => JSON.stringify(value).replace(/\//g, '\\/'),
  (value) => ascii(JSON.stringify(value)).replace(/\//g, '\\/'),
];

/** `{"a": 1, "b": [2, 3]}`, as Python and Ruby write it. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, of]) => `${JSON.stringify(key)}: ${spaced(of)}`);
  return `{${members.join(', ')}}`;
}

function ascii(text: string): string {
  return text.replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Bodies of which the received one may be a changed copy. */
export function bodyVariants(bytes: Uint8Array): Variant[] {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const variants: Variant[] = [];
  const add = (finding: string, made: string) => {
    if (made !== text) variants.push({ finding, bytes: new TextEncoder().encode(made) });
  };
  for (const [finding, rewrite] of lines) add(finding, rewrite(text));
  const value = parsed(text);
  if (value === undefined) return variants;
  for (const serialise of serialisations) {
    const made = serialise(value);
    add(reserialised, made);
    add(reserialised, `${made}\n`);
  }
  return variants;
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'string' && /^[[{]/.test(value) ? parsed(value) : value;
  } catch {
    return undefined;
  }
}
