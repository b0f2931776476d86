import type { SigningSecret } from './records.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { World } from './world.ts';

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

/** A new `whsec_…` of 256 random bits. */
export function newSecret(world: World, stream: number): string {
  return `whsec_${base64(world.ports.random.bytes(stream, SECRET_BYTES))}`;
}

/** Those that sign now, newest first. */
export function activeSecrets(secrets: readonly SigningSecret[], now: number): string[] {
  return secrets
    .filter(({ expiresAt }) => expiresAt === undefined || now < expiresAt)
    .map(({ secret }) => secret);
}

export interface Rotation {
  readonly overlapSeconds: number;
  /** Rotates inside an overlap too; the oldest secret is dropped at once. */
  readonly force: boolean;
}

/** Puts a new secret first; the one before signs too until the overlap ends. */
export function rotate(
  secrets: readonly SigningSecret[],
  secret: string,
  { overlapSeconds, force }: Rotation,
  now: number,
): SigningSecret[] | Refusal {
  const [current, previous] = secrets;
  const overlapping = previous?.expiresAt !== undefined && now < previous.expiresAt;
  if (overlapping && !force) {
    return refuse(
      'invalid_state',
      'The secret is being rotated already. Wait for the overlap to end, or set force.',
    );
  }
  const fresh: SigningSecret = { secret, createdAt: now };
  return current ? [fresh, { ...current, expiresAt: now + overlapSeconds * 1000 }] : [fresh];
}
