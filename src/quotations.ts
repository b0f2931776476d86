import { printable } from './clean-text.ts';

/** So many characters in a row of a secret are a quotation of it. */
const QUOTED = 16;
/** Below this length, looking for each part of a text costs less than a table of all parts of the secrets. */
const SHORT = 256;
/** What is encoded can be encoded again, as base64 in JSON. */
const LAYERS = 2;

/**
 * Returns a function that puts `mark` in place of what a text quotes from the secrets, whole or in part: in any letter
 * case, escaped as in JSON, a JSON Pointer or a URL, or in base64 or hex. A text without a quotation stays as it was.
 */
export function hideQuotations(secrets: readonly string[], mark: string): (text: string) => string {
  // Encoding only lengthens a quotation, and most responses are shorter than this.
  const least = Math.min(QUOTED, ...secrets.map(({ length }) => length));
  let hideIn: ((text: string) => string) | undefined;
  return (text) => {
    if (text.length < least) return text;
    hideIn ??= hiderOf(secrets, mark);
    return hideIn(text);
  };
}

function hiderOf(secrets: readonly string[], mark: string): (text: string) => string {
  const folded = secrets.map(foldCase);
  const words = folded.filter((secret) => secret.length < QUOTED && secret.trim());
  const long = folded
    .filter(({ length }) => length >= QUOTED)
    .flatMap((secret) => [...new Set([secret, printable(secret)])]);
  let parts: Set<string> | undefined;

  function isQuoted(text: string, start: number): boolean {
    const part = text.slice(start, start + QUOTED);
    if (text.length < SHORT) return long.some((secret) => secret.includes(part));
    parts ??= new Set(long.flatMap(partsOf));
    return parts.has(part);
  }

  function hidePlain(text: string): string {
    const lower = foldCase(text);
    let rest = '';
    let kept = 0;
    for (let at = 0; at + QUOTED <= text.length; at += 1) {
      if (!isQuoted(lower, at)) continue;
      rest += text.slice(kept, at) + mark;
      while (at + QUOTED < text.length && isQuoted(lower, at + 1)) at += 1;
      kept = at + QUOTED;
      at = kept - 1;
    }
    return words.reduce((left, word) => withoutWord(left, word, mark), rest + text.slice(kept));
  }

  function hide(text: string, layers: number): string {
    const kept = hidePlain(text);
    if (layers === 0) return kept;
    const quotes = (decoded: string) => hide(decoded, layers - 1) !== decoded;
    for (const decoded of [unescaped(kept), kept.replaceAll('+', ' ')]) {
      const hidden = decoded === kept ? decoded : hide(decoded, layers - 1);
      if (hidden !== decoded) return hidden;
    }
    return kept
      .replace(/[\w+/-]{22,}/g, (word) => (inBase64(word).some(quotes) ? mark : word))
      .replace(/[\da-f]{32,}/gi, (word) => (inHex(word).some(quotes) ? mark : word));
  }

  const isNeeded = words.length + long.length > 0;
  return (text) => (isNeeded ? hide(text, LAYERS) : text);
}

const partsOf = (secret: string): string[] =>
  Array.from({ length: secret.length - QUOTED + 1 }, (_, at) => secret.slice(at, at + QUOTED));

/** A short secret counts only as a word: it could be part of any other. */
function withoutWord(text: string, word: string, mark: string): string {
  const lower = foldCase(text);
  let rest = '';
  let kept = 0;
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length)) {
    const end = at + word.length;
    if (/\w/.test(text.charAt(at - 1) + text.charAt(end))) continue;
    rest += text.slice(kept, at) + mark;
    kept = end;
  }
  return rest + text.slice(kept);
}

/** In lower case, with every letter at its place: only `İ` would become two. */
const foldCase = (text: string): string => text.replaceAll('İ', 'i').toLowerCase();

const unescaped = (text: string): string =>
  text.replace(/\\(?:u([\da-f]{4})|(["\\/]))|~1|(?:%[\da-f]{2})+/gi, (escaped, hex, letter) => {
    if (escaped === '~1') return '/';
    if (hex) return String.fromCharCode(Number.parseInt(hex, 16));
    return letter ?? toText(escaped.slice(1).split('%'));
  });

/** As a quotation can begin anywhere in what is encoded, each of the four digits can be the first of a group. */
const inBase64 = (word: string): string[] =>
  [0, 1, 2, 3].map((skipped) => {
    const digits = `${word.slice(skipped).replace(/-/g, '+').replace(/_/g, '/')}AAA`;
    const groups = digits.match(/.{4}/g) ?? [];
    return decode(groups.flatMap(bytesOf));
  });

const base64Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The three bytes of four digits. React Native may have no `atob`. */
function bytesOf(group: string): number[] {
  const value = [...group].reduce((sum, digit) => sum * 64 + base64Digits.indexOf(digit), 0);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

const inHex = (word: string): string[] =>
  [0, 1].map((skipped) => toText(word.slice(skipped).match(/../g) ?? []));

const toText = (hex: readonly string[]): string =>
  decode(hex.map((byte) => Number.parseInt(byte, 16)));

/** Where there is no `TextDecoder`, only ASCII is read, as all keys are. */
const decode = (bytes: readonly number[]): string =>
  'TextDecoder' in globalThis
    ? new TextDecoder().decode(Uint8Array.from(bytes))
    : String.fromCharCode(...bytes);
