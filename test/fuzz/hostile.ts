import fc from 'fast-check';

/** Text that an attacker might send: any code units, control characters, header separators. */
export const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 50 }),
  fc
    .array(fc.constantFrom('v1,', ' ', ',', '.', ':', '=', '\t', '\r\n', '\0', '%', '"', 'AAAA'))
    .map((parts) => parts.join('')),
);

/** Any value that a `Headers` object accepts. */
export const headerValue = fc
  .oneof(text, fc.integer().map(String), fc.double().map(String))
  .map((value) => value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').trim());

export const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 500 }),
  fc.json().map((json) => new TextEncoder().encode(json)),
  text.map((value) => new TextEncoder().encode(value)),
);

/** Any JSON object, often with keys that mean something to some parser. */
export const jsonObject = fc.dictionary(
  fc.oneof(
    fc.constantFrom('event', 'status', 'result', 'error', 'requestId', '__proto__', 'constructor'),
    fc.constantFrom('code', 'errors', 'type', 'title', 'resetsAt', 'data', 'nextCursor', 'usage'),
    fc.string(),
  ),
  fc.jsonValue(),
  { maxKeys: 8 },
);
