import { printable } from '../clean-text.ts';

/** So many characters in a row of a secret are a quotation of it. */
const QUOTED = 16;

/** A text from outside with `…` in place of what it quotes from the secrets, whole or in part. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => {
    if (secret.length >= QUOTED) return withoutQuotations(left, printable(secret));
    return secret.trim() ? withoutWord(left, secret) : left;
  }, printable(text));
}

/** A short secret counts only as a word: it could be part of any other. */
function withoutWord(text: string, secret: string): string {
  const parts = text.split(secret);
  return parts.reduce((left, right) => {
    const isWord = !/\w/.test(left.slice(-1) + right.charAt(0));
    return left + (isWord ? '…' : secret) + right;
  });
}

function withoutQuotations(text: string, secret: string): string {
  let rest = '';
  for (let at = 0; at < text.length; ) {
    let end = at + QUOTED;
    if (end > text.length || !secret.includes(text.slice(at, end))) {
      rest += text[at];
      at += 1;
      continue;
    }
    while (end < text.length && secret.includes(text.slice(at, end + 1))) end += 1;
    rest += '…';
    at = end;
  }
  return rest;
}
