const bytes = (text: string) => Buffer.from(text);
const escapeUnicode = (letter: string) =>
  `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** How a hostile or careless service can spell a text inside a JSON string, or in a header. */
export const spell: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'escaped as JSON': (text) => text.replaceAll('/', '\\/').replaceAll('+', '\\u002B'),
  'escaped whole': (text) => [...text].map(escapeUnicode).join(''),
  'escaped twice': (text) => [...text].map((letter) => `\\${escapeUnicode(letter)}`).join(''),
  'in a JSON Pointer': (text) => text.replaceAll('/', '~1'),
  'for a URL': encodeURIComponent,
  'for a URL, whole': (text) => bytes(text).toString('hex').replace(/../g, '%$&'),
  base64: (text) => bytes(text).toString('base64'),
  'base64, one byte later': (text) => bytes(`x${text}`).toString('base64'),
  'base64, two bytes later': (text) => bytes(`xy${text}`).toString('base64'),
  base64url: (text) => bytes(`${text}:`).toString('base64url'),
  hex: (text) => bytes(text).toString('hex'),
  'upper-case hex': (text) => bytes(text).toString('hex').toUpperCase(),
  'in upper case': (text) => text.toUpperCase(),
  'in part': (text) => text.slice(0, 24),
};
