import { standardScheme } from '../signing/standard-scheme.ts';
import { tokenHeaderOf } from '../webhooks/defaults.ts';
import type { SignedDelivery, TestRequestOptions } from './test-request.ts';

/** The part of an attempt that is changed after signing. */
export type Tampering = 'body' | 'signature' | 'id' | 'timestamp' | 'token';

/**
 * A copy with another character at the place, negative for one before the padding: in base64 one that stands for other
 * bits at the end, too.
 */
export function changeAt(text: string, place: number): string {
  const at = place < 0 ? text.replace(/={1,2}$/, '').length + place : place;
  const [usual, other] = /^[0-9a-f]+$/.test(text) ? ['0', '4'] : ['A', 'Q'];
  return text.slice(0, at) + (text[at] === usual ? other : usual) + text.slice(at + 1);
}

export function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

/** Changes the last letter or digit, so that the format stays valid. */
function changeLast(text: string): string {
  return text.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, (char) => (char === 'A' ? 'Q' : 'A'));
}

export function tamperWith(
  delivery: SignedDelivery,
  part: Tampering,
  options: TestRequestOptions,
): SignedDelivery {
  const { headers, body = new Uint8Array() } = delivery;
  if (part === 'body') return { ...delivery, body: Uint8Array.of(...body, 32) };
  const { scheme = standardScheme() } = options;
  const names = {
    signature: scheme.signatureHeaders,
    id: ['webhook-id'],
    timestamp: ['webhook-timestamp'],
    token: [tokenHeaderOf(options)],
  }[part];
  const changed: Record<string, string> = { ...headers };
  for (const name of names) {
    const value = headers[name];
    if (value === undefined)
      throw new TypeError(
        `Failed to deliver: tamper is ${part}, but there is no ${name} header to change.`,
      );
    changed[name] =
      part === 'timestamp' ? String(Number(value) - 1) : value.split(' ').map(changeLast).join(' ');
  }
  return { ...delivery, headers: changed };
}
