import { standardScheme } from '../signing/standard-scheme.ts';
import { tokenHeaderOf } from '../webhooks/defaults.ts';
import { envelopeFieldsOf } from './envelope.ts';
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

/** What is before the digest, or a part of it that has no - or _, then the digest and what follows it. */
export function digestIn(signature: string): [before: string, digest: string, after: string] {
  const runs = [...signature.matchAll(/[A-Za-z0-9+/]+=*/g)];
  // Such a header can have versions and a time, which are shorter.
  const [longest] = runs.sort((one, other) => other[0].length - one[0].length);
  const { 0: digest, index } = longest ?? { 0: signature, index: 0 };
  return [signature.slice(0, index), digest, signature.slice(index + digest.length)];
}

/** Changes the digest, so that the format stays valid. */
function changeDigest(signature: string): string {
  const [before, digest, after] = digestIn(signature);
  return before + changeAt(digest, -1) + after;
}

/** Changes the last letter or digit, so that the format stays valid. */
function changeLast(text: string): string {
  return text.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, (char) => (char === 'A' ? 'Q' : 'A'));
}

/** A second earlier, or another time in the same format. */
export const earlier = (time: string): string =>
  /^\d+$/.test(time)
    ? String(Number(time) - 1)
    : time.replace(/\d(?=\D*$)/, (digit) => (digit === '0' ? '1' : '0'));

export function tamperWith(
  delivery: SignedDelivery,
  part: Tampering,
  options: TestRequestOptions,
): SignedDelivery {
  const { headers, body = new Uint8Array() } = delivery;
  if (part === 'body') return { ...delivery, body: Uint8Array.of(...body, 32) };
  const { scheme = standardScheme() } = options;
  if (part === 'id' || part === 'timestamp') {
    const { id, time } = envelopeFieldsOf(scheme);
    const [field, change] = part === 'id' ? [id, changeLast] : [time, earlier];
    const sent = field.read(headers);
    if (sent === undefined) return refuse(part, `there is no ${field.header} header to change`);
    if (!field.isSigned)
      return refuse(part, 'this scheme does not sign it: a receiver accepts any');
    return { ...delivery, headers: field.write(headers, change(sent)) };
  }
  const [names, change] =
    part === 'token'
      ? [[tokenHeaderOf(options)], changeLast]
      : [scheme.signatureHeaders, changeDigest];
  const changed: Record<string, string> = { ...headers };
  for (const name of names) {
    const value = headers[name];
    if (value === undefined) return refuse(part, `there is no ${name} header to change`);
    changed[name] = value.split(' ').map(change).join(' ');
  }
  return { ...delivery, headers: changed };
}

function refuse(part: Tampering, reason: string): never {
  throw new TypeError(`Failed to deliver: tamper is ${part}, but ${reason}.`);
}
