import { hideQuotations } from './quotations.ts';

export const SHORTEST_SECRET = 13;
const REDACTED = '[redacted]';

/** What a secret looks like, anywhere in a text: our own formats first. With `~`, as a JSON Pointer writes `/` as `~1`. */
const PATTERNS: readonly RegExp[] = [
  /cg_(?:live|test)_[0-9A-Za-z]{16,}/g,
  /cgu_[\w-]{43}/g,
  /whs(?:ec|k|pk)_[0-9A-Za-z+/%_~-]{8,}(?:={0,2}|(?:%3D){0,2})/gi,
  /\bv1a?[,:][0-9A-Za-z+/~]{43,100}={0,2}/g,
  /\b[srp]k_(?:live|test)_\w{16,}/g,
  /\bBearer [\w.~+/-]{8,}=*/gi,
  // Unlike the next word of a sentence, credentials have a digit, padding or a capital inside.
  /\b(?:[Bb]asic|BASIC) (?=\S*(?:\d|=|[a-z][A-Z]))[\w.~+/-]{8,}=*/g,
];

/** Without one of these, no pattern matches: one test is cheaper than all of them. */
const MARKER = /cgu?_|whs(?:ec|k|pk)_|[srp]k_|v1a?[,:]|eyJ|bearer |basic |PRIVATE KEY/i;

function redactPlain(text: string): string {
  if (text.length < SHORTEST_SECRET || !MARKER.test(text)) return text;
  let kept = text;
  for (const pattern of PATTERNS) kept = kept.replace(pattern, REDACTED);
  return redactPrivateKeys(redactTokens(kept));
}

/** Without JSON Web Tokens. One expression for all three parts would search again from each `eyJ` in a long word. */
function redactTokens(text: string): string {
  const word = /[\w-]*/y;
  const endOfWord = (at: number) => {
    word.lastIndex = at;
    return at + (word.exec(text)?.[0].length ?? 0);
  };
  let rest = '';
  let kept = 0;
  for (let start = text.indexOf('eyJ'); start >= 0; ) {
    const head = endOfWord(start);
    const payload = text[head] === '.' ? endOfWord(head + 1) : head;
    const isToken = head - start > 10 && payload > head + 1 && text[payload] === '.';
    const end = isToken ? endOfWord(payload + 1) : head;
    if (isToken) {
      rest += text.slice(kept, start) + REDACTED;
      kept = end;
    }
    start = text.indexOf('eyJ', end);
  }
  return rest + text.slice(kept);
}

/** Without private keys in PEM, to the end of the text if they are cut off. */
function redactPrivateKeys(text: string): string {
  const [start = '', ...parts] = text.split(/-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----/);
  const rest = parts.map((part) => {
    const end = part.indexOf('PRIVATE KEY-----');
    return REDACTED + (end < 0 ? '' : part.slice(end + 'PRIVATE KEY-----'.length));
  });
  return start + rest.join('');
}

/**
 * A printable ASCII character, percent-encoded or escaped as in JSON. Other bytes occur in no secret, and need not be
 * valid text.
 */
const ENCODED = /%([2-7][0-9a-f])|\\u00([2-7][0-9a-f])|\\(\/)/gi;

/**
 * The text without anything that looks like a key, secret, signature or token, also encoded or escaped, and without the
 * `known` ones, however they are spelled. It stays as it was unless it contains one.
 */
export function redact(text: string, known: readonly string[] = []): string {
  const plain = redactPlain(known.length > 0 ? hideQuotations(known, REDACTED)(text) : text);
  if (!/[%\\]/.test(text)) return plain;
  const decoded = plain.replace(
    ENCODED,
    (_, percent, unicode, slash) =>
      slash ?? String.fromCharCode(Number.parseInt(percent ?? unicode, 16)),
  );
  const redacted = redactPlain(decoded);
  return redacted === decoded ? plain : redacted;
}

/** The text itself where it is not valid percent-encoding. */
export function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Expressions, which bundlers drop where nothing redacts; a call at module level stays in every entry.

/** The last words of names whose value is a secret, whatever it looks like. */
const SECRET_WORDS =
  /^(?:apikey|auth|authorization|cookie|credential|credentials|jwt|passphrase|passwd|password|pwd|secret|secrets|signature|token)$/;
/** The words before `key` that make it a secret. An idempotency key or a public key is not one. */
const SECRET_KEYS =
  /^(?:access|admin|api|auth|client|encryption|master|member|private|secret|service|shared|signing|webhook)$/;

/** Whether the name of a field, header or parameter says that its value is a secret: `clientSecret`, `X-Api-Key`. */
export function isSecretName(name: string): boolean {
  if (name.length > 100) return false;
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
  const [first = '', last = '', before] = [words[0], words.at(-1), words.at(-2)];
  if (words.length > 1 && /^(?:has|is)$/.test(first)) return false;
  if (last !== 'key') return SECRET_WORDS.test(last);
  return before === undefined || before === 'x' || SECRET_KEYS.test(before);
}

/** A query without its question mark. A parameter whose name says that it is a secret is redacted too. */
export function redactQuery(query: string): string {
  return query.split('&').map(redactParameter).join('&');
}

function redactParameter(parameter: string): string {
  const end = parameter.indexOf('=');
  if (end === -1) return redact(parameter);
  const name = parameter.slice(0, end);
  if (isSecretName(decodeComponent(name))) return `${name}=${REDACTED}`;
  return `${redact(name)}=${redact(parameter.slice(end + 1))}`;
}

/** A text as the logs keep it: any secret is redacted, and in a URL each parameter whose name says that it is one. */
export function redactLogged(text: string): string {
  const query = text.indexOf('?');
  if (query < 0 || !/^https?:/i.test(text)) return redact(text);
  const hash = text.indexOf('#', query);
  const end = hash < 0 ? text.length : hash;
  const start = redact(text.slice(0, query));
  return `${start}?${redactQuery(text.slice(query + 1, end))}${redact(text.slice(end))}`;
}
