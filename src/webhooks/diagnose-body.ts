export interface BodyVariant {
  /** What happened to it after that; missing for the body as received. */
  readonly finding?: string;
  readonly bytes: Uint8Array;
}

type Rewrite = (text: string) => string;

/** What could have happened to the body after it was signed → how to undo it. */
const textChanges: readonly [string, Rewrite][] = [
  ['the body lost its trailing newline', (text) => `${text}\n`],
  ['the body lost its trailing CRLF', (text) => `${text}\r\n`],
  ['white space was added at the end of the body', (text) => text.trimEnd()],
  [
    'the line endings of the body were changed from LF to CRLF',
    (text) => text.replace(/\r\n/g, '\n'),
  ],
  [
    'the line endings of the body were changed from CRLF to LF',
    (text) => text.replace(/\r?\n/g, '\r\n'),
  ],
  ['the body lost its byte order mark', (text) => `\uFEFF${text}`],
  ['a byte order mark was added to the body', (text) => text.replace(/^\uFEFF/, '')],
];

const reserialized = 'the body was parsed and serialized again (JSON.stringify)';

/** Parsing and `JSON.stringify` lose spacing and escapes; these restore the usual ones. */
const serializations: readonly ((value: unknown) => string)[] = [
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

/** `{"a": 1, "b": [2, 3]}`, the way Python and Ruby write it. */
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

export function bodyVariants(bytes: Uint8Array): BodyVariant[] {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const variants: BodyVariant[] = [];
  const add = (finding: string, made: string) => {
    if (made !== text) variants.push({ finding, bytes: new TextEncoder().encode(made) });
  };
  for (const [finding, rewrite] of textChanges) add(finding, rewrite(text));
  if (mojibake.test(text) && !/[^\0-\u00ff]/.test(text))
    variants.push({
      finding: 'the body was read as Latin-1, not UTF-8,',
      bytes: Uint8Array.from(text, (char) => char.charCodeAt(0)),
    });
  const value = parse(text);
  if (value === undefined) return variants;
  for (const serialize of serializations) {
    const made = serialize(value);
    add(reserialized, made);
    add(reserialized, `${made}\n`);
  }
  return variants;
}

/** UTF-8 that was read as Latin-1 or Windows-1252: `Ã¼` for `ü`, `â€™` for `’`. */
const mojibake = /[\u00c2\u00c3][\u0080-\u00bf]|\u00e2[\u0080\u20ac]/;

export function damageOf(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return 'the body is empty';
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    return 'the body is compressed (gzip), although no header says so';
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return 'the body is not valid UTF-8';
  }
  if (text.includes('\ufffd'))
    return 'the body contains U+FFFD: its chunks were decoded one by one';
  if (parse(text) === undefined) {
    if (text.startsWith('[object ')) return 'the body is the text of a JavaScript object';
    return /^\s*[[{]/.test(text) && !/[\]}]\s*$/.test(text)
      ? `the body ends within its JSON, after ${bytes.length} bytes`
      : 'the body is not JSON';
  }
  if (mojibake.test(text)) return 'the body contains UTF-8 that was read as Latin-1 (Ã¼ for ü)';
  return undefined;
}

/** Also parses JSON inside a JSON string. */
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'string' && /^[[{]/.test(value) ? parse(value) : value;
  } catch {
    return undefined;
  }
}
