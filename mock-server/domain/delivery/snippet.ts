import { redactSecrets } from '../redact.ts';

const maxBytes = 1024;

/**
 * The part of a receiver's response that is kept: at most 1 KiB of UTF-8, with anything that looks like a secret
 * removed.
 */
export function redactSnippet(text: string, known: readonly string[]): string {
  // Redact before the final cut, or half a secret at its edge would go unnoticed. A character has at most four bytes.
  const start = text.length > 4 * maxBytes ? text.slice(0, 4 * maxBytes) : text;
  return cut(redactSecrets(start, known));
}

/** The headers of a receiver's response, with anything that looks like a secret removed. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  known: readonly string[],
): Readonly<Record<string, string>> {
  const all = Object.values(headers).join('\n');
  if (redactSecrets(all, known) === all) return headers;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, redactSecrets(value, known)]),
  );
}

function cut(text: string): string {
  if (text.length * 3 <= maxBytes) return text;
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}
