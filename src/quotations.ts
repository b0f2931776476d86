import { printable } from './clean-text.ts';

/** So many characters in a row of a secret are a quotation of it. */
const QUOTED = 16;
/** Cut into blocks of this size, a secret has a whole block in each quotation. */
const BLOCK = QUOTED / 2;
/** What is encoded can be encoded again, as base64 in JSON. */
const LAYERS = 3;

/**
 * Returns a function that puts `mark` in place of what a text quotes from the secrets, whole or in part: as it is,
 * escaped as in JSON, a JSON Pointer or a URL, or in base64 or hex. A text without a quotation stays as it was.
 */
export function hideQuotations(secrets: readonly string[], mark: string): (text: string) => string {
  const words = secrets.filter((secret) => secret.length < QUOTED && secret.trim());
  const long = secrets
    .filter(({ length }) => length >= QUOTED)
    .flatMap((secret) => [...new Set([secret, printable(secret)])]);
  let blocks: Set<string> | undefined;

  function find(text: string, from: number, block: number): readonly [number, number] | undefined {
    for (let start = Math.max(from, block - BLOCK); start <= block; start += 1) {
      let end = start + QUOTED;
      const window = text.slice(start, end);
      for (const secret of window.length < QUOTED ? [] : long) {
        const at = secret.indexOf(window);
        if (at < 0) continue;
        while (end < text.length && text[end] === secret[at + end - start]) end += 1;
        return [start, end];
      }
    }
    return undefined;
  }

  function hidePlain(text: string): string {
    blocks ??= new Set(long.flatMap(blocksOf));
    let rest = '';
    let kept = 0;
    for (let at = 0; at + BLOCK <= text.length; at += 1) {
      const found = blocks.has(text.slice(at, at + BLOCK)) && find(text, kept, at);
      if (!found) continue;
      rest += text.slice(kept, found[0]) + mark;
      kept = found[1];
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

  return (text) => (words.length + long.length > 0 ? hide(text, LAYERS) : text);
}

function blocksOf(secret: string): string[] {
  const count = Math.floor(secret.length / BLOCK);
  return Array.from({ length: count }, (_, n) => secret.slice(n * BLOCK, (n + 1) * BLOCK));
}

/** A short secret counts only as a word: it could be part of any other. */
function withoutWord(text: string, word: string, mark: string): string {
  const parts = text.split(word);
  return parts.reduce((left, right) => {
    const isWord = !/\w/.test(left.slice(-1) + right.charAt(0));
    return left + (isWord ? mark : word) + right;
  });
}

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
