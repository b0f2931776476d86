import { isSecret, secretFormat, secretPrefix } from '../../src/signing/secret-format.ts';
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
  return `${secretPrefix}${base64(context.ports.random.bytes(rngStream, SECRET_BYTES))}`;
}

export { isSecret, secretFormat };

export function rejectInvalidSecret(secret: string | undefined): Rejection | undefined {
  if (secret === undefined || isSecret(secret)) return undefined;
  return rejectField('/secret', 'invalid_format', `secret must be ${secretFormat}.`);
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
