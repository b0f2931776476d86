import { cleanText } from '../../clean-text.ts';
import { isObject } from '../../options/values.ts';
import { redactEncodedSecrets } from '../../redact.ts';

const hidden = '[redacted]';

/** Keeps the secrets of a run, and text from the service without them. */
export class Redactor {
  readonly #secrets = new Set<string>();

  add(secret: unknown): void {
    if (typeof secret === 'string' && secret.length > 7) this.#secrets.add(secret);
  }

  /** Whether a text contains a secret, in any spelling. */
  holds(text: string): boolean {
    return spellings(text).some((spelling) =>
      [...this.#secrets].some((secret) => spelling.includes(secret)),
    );
  }

  /** One line of printable text; nothing of a text that contains a secret in another spelling. */
  text(text: string): string {
    const kept = redactEncodedSecrets(text, [...this.#secrets]);
    return this.holds(kept) ? hidden : cleanText(kept, 300);
  }

  /** The names in a parsed body, and no values but statuses: enough to see what a line comes from. */
  shape(value: unknown, depth = 0): string {
    if (Array.isArray(value)) return value.length > 0 ? `[${this.shape(value[0], depth)}]` : '[]';
    if (!isObject(value) || depth > 4) return '…';
    const members = Object.entries(value).map(([name, member]) => {
      const shown = this.text(name);
      if (typeof member === 'object' && member !== null)
        return `${shown}: ${this.shape(member, depth + 1)}`;
      const isWord = typeof member === 'string' && /^[\w -]{1,24}$/.test(member);
      const isStatus = isWord && /^(status|state|phase|stage)$/i.test(name);
      return isStatus ? `${shown}: ${this.text(member)}` : shown;
    });
    const more = members.length > 12 ? ', …' : '';
    return `{ ${members.slice(0, 12).join(', ')}${more} }`;
  }
}

/** A text as it is, unescaped as JSON and as a URL, and each long token decoded as base64 and hex. */
function spellings(text: string): readonly string[] {
  const unescaped = text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replace(/\\(.)/g, '$1');
  const tokens = unescaped.match(/[\w+/%-]{10,}/g) ?? [];
  return [
    text,
    unescaped,
    fromUrl(unescaped),
    ...tokens.flatMap((token) => [fromBase64(token), fromHex(token)]),
  ];
}

const fromUrl = (text: string) =>
  text.replaceAll('+', ' ').replace(/(%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });

function fromBase64(token: string): string {
  try {
    return atob(fromUrl(token).replaceAll(' ', '+').replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}

const fromHex = (token: string) =>
  /^([0-9a-f]{2})+$/i.test(token)
    ? token.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)))
    : '';
