import type { Context } from './context.ts';
import type { SigningSecret } from './records.ts';
import { type Rejection, reject, rejectField } from './rejection.ts';

const SECRET_BYTES = 32;
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = bytes.subarray(at, at + 3);
    text += BASE64[a >> 2];
    text += BASE64[((a & 3) << 4) | ((b ?? 0) >> 4)];
    text += b === undefined ? '=' : BASE64[((b & 15) << 2) | ((c ?? 0) >> 6)];
    text += c === undefined ? '=' : BASE64[c & 63];
  }
  return text;
}

/** A new signing secret: `whsec_` and 256 random bits. */
export function newSecret(context: Context, rngStream: number): string {
  return `whsec_${base64(context.ports.random.bytes(rngStream, SECRET_BYTES))}`;
}

/** Whether every receiver can decode it: `whsec_` and canonical, padded base64 of 24 to 64 bytes. */
export function isSecret(text: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+)(={0,2})$/.exec(text);
  if (!encoded) return false;
  const [, digits = '', padding = ''] = encoded;
  if ((digits.length + padding.length) % 4 !== 0) return false;
  const bytes = Math.floor((digits.length * 6) / 8);
  const spareBits = (digits.length * 6) % 8;
  const last = BASE64.indexOf(digits.at(-1) ?? '');
  return bytes >= 24 && bytes <= 64 && (last & ((1 << spareBits) - 1)) === 0;
}

export function rejectInvalidSecret(secret: string | undefined): Rejection | undefined {
  if (secret === undefined || isSecret(secret)) return undefined;
  const message = 'secret must be whsec_ followed by 24 to 64 bytes in padded standard base64.';
  return rejectField('/secret', 'invalid_format', message);
}

/** The secrets that sign at `now`, newest first. */
export function activeSecrets(secrets: readonly SigningSecret[], now: number): string[] {
  const active: string[] = [];
  for (const { secret, expiresAt } of secrets) {
    if (expiresAt === undefined || now < expiresAt) active.push(secret);
  }
  return active;
}

export interface Rotation {
  readonly overlapSeconds: number;
  /** Rotates even during an overlap; the oldest secret stops signing immediately. */
  readonly force: boolean;
}

/** Puts a new secret first; the previous one keeps signing until the overlap ends. */
export function rotate(
  secrets: readonly SigningSecret[],
  secret: string,
  { overlapSeconds, force }: Rotation,
  now: number,
): SigningSecret[] | Rejection {
  const [current, previous] = secrets;
  const overlapping = previous?.expiresAt !== undefined && now < previous.expiresAt;
  if (overlapping && !force) {
    return reject(
      'invalid_state',
      'A rotation is already in progress. Wait for its overlap to end, or set force.',
    );
  }
  const fresh: SigningSecret = { secret, createdAt: now };
  return current ? [fresh, { ...current, expiresAt: now + overlapSeconds * 1000 }] : [fresh];
}
