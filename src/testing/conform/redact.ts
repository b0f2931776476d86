import { cleanText } from '../../clean-text.ts';
import { isObject } from '../../options/values.ts';
import { hideQuotations } from '../../quotations.ts';
import { redact } from '../../redact.ts';

export class Redactor {
  readonly #secrets = new Set<string>();

  add(secret: unknown): void {
    if (typeof secret === 'string' && secret.length > 7) this.#secrets.add(secret);
  }

  /** Whether a text contains a secret, in any spelling. */
  holds(text: string): boolean {
    return hideQuotations([...this.#secrets], '')(text) !== text;
  }

  text(text: string): string {
    return cleanText(redact(text, [...this.#secrets]), 300);
  }

  /** The names in a parsed body, and no values but statuses: enough to see what a line comes from. */
  shape(value: unknown, depth = 0): string {
    if (depth > 4) return '…';
    if (Array.isArray(value))
      return value.length > 0 ? `[${this.shape(value[0], depth + 1)}]` : '[]';
    if (!isObject(value)) return '…';
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
