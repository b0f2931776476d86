export { printable, withoutTrailing } from '../../src/clean-text.ts';

// The length of the shortest secret.
const SHORTEST = 13;
const REDACTED = '[redacted]';

/** What a secret looks like, anywhere in a text: our own formats first, then those that other services use. */
const PATTERNS: readonly RegExp[] = [
  /cg_(?:live|test)_[0-9A-Za-z]{16,}/g,
  /cgu_[\w-]{43}/g,
  /whsec_[0-9A-Za-z+/%_-]{8,}(?:={0,2}|(?:%3D){0,2})/gi,
  /\bv1[,:][0-9A-Za-z+/]{43}=/g,
  /\bBearer [\w.~+/-]{8,}=*/gi,
  // Unlike the next word of a sentence, credentials have a digit, padding or a capital inside.
  /\b(?:[Bb]asic|BASIC) (?=\S*(?:\d|=|[a-z][A-Z]))[\w.~+/-]{8,}=*/g,
];

/** Without one of these, no pattern matches: one test is cheaper than all of them. */
const MARKER = /cgu?_|whsec_|v1[,:]|eyJ|bearer |basic /i;

/** The text without anything that looks like a key, secret, signature or token, and without the `known` ones. */
export function redactSecrets(text: string, known: readonly string[] = []): string {
  let kept = text;
  for (const secret of known) {
    if (secret !== '' && secret.length <= text.length) kept = kept.replaceAll(secret, REDACTED);
  }
  if (text.length < SHORTEST || !MARKER.test(kept)) return kept;
  for (const pattern of PATTERNS) kept = kept.replace(pattern, REDACTED);
  return redactTokens(kept);
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

/** What percent-encodes a printable ASCII character. Other bytes occur in no secret, and need not be valid text. */
const ENCODED = /%([2-7][0-9a-f])/gi;

/** The same where a secret can be percent-encoded. The text stays as it was unless it contains one. */
export function redactEncodedSecrets(text: string): string {
  if (!text.includes('%')) return redactSecrets(text);
  const decoded = text.replace(ENCODED, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  const redacted = redactSecrets(decoded);
  return redacted === decoded ? text : redacted;
}

/** The text itself where it is not valid percent-encoding. */
export function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Fields and parameters whose value is a secret, whatever it looks like. */
const SECRET_NAME =
  /^(?:x[-_]?)?(?:api[-_]?key|access[-_]?token|authorization|key|password|secret|signature|token)$/i;

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** A query without its question mark. A parameter whose name says that it is a secret is redacted too. */
export function redactQuery(query: string): string {
  return query.split('&').map(redactParameter).join('&');
}

function redactParameter(parameter: string): string {
  const end = parameter.indexOf('=');
  if (end === -1) return redactEncodedSecrets(parameter);
  const name = parameter.slice(0, end);
  if (isSecretName(decodeComponent(name))) return `${name}=${REDACTED}`;
  return `${redactEncodedSecrets(name)}=${redactEncodedSecrets(parameter.slice(end + 1))}`;
}

/** A text as the logs keep it: any secret is redacted, and in a URL each parameter whose name says that it is one. */
export function redactLogged(text: string): string {
  const query = text.indexOf('?');
  if (query < 0 || !/^https?:/i.test(text)) return redactEncodedSecrets(text);
  const hash = text.indexOf('#', query);
  const end = hash < 0 ? text.length : hash;
  const start = redactEncodedSecrets(text.slice(0, query));
  return `${start}?${redactQuery(text.slice(query + 1, end))}${redactEncodedSecrets(text.slice(end))}`;
}
