import { isSecret, secretFormat, secretPrefix } from '../../src/signing/secret-format.ts';
import type { Context } from './context.ts';
import type { SecretEncoding } from './deployment.ts';
import type { SigningSecret } from './records.ts';
import { type Rejection, reject, rejectField } from './rejection.ts';

const SECRET_BYTES = 32;

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** A new signing secret: `whsec_` and 256 random bits. */
export function newSecret({ ports, settings }: Context, rngStream: number): string {
  const bytes = ports.random.bytes(rngStream, SECRET_BYTES);
  return writeSecret(bytes, settings.secretEncoding);
}

/** Key bytes in the encoding of the deployment. As text, a secret looks like the contract's. */
export function writeSecret(bytes: Uint8Array, encoding: SecretEncoding = 'whsec'): string {
  if (encoding === 'hex') return Array.from(bytes, hexOf).join('');
  return encoding === 'base64' ? base64(bytes) : secretPrefix + base64(bytes);
}

const hexOf = (byte: number): string => byte.toString(16).padStart(2, '0');

export { isSecret, secretFormat };

const formats: Readonly<Record<Exclude<SecretEncoding, 'whsec'>, readonly [RegExp, string]>> = {
  utf8: [/^[^\s].{0,4094}[^\s]$/s, 'a text of 2 to 4096 characters'],
  hex: [/^([0-9a-fA-F]{2}){16,4096}$/, 'at least 16 bytes in hex'],
  base64: [/^[A-Za-z0-9+/]{22,}={0,2}$/, 'at least 16 bytes in base64'],
};

export function rejectInvalidSecret(
  secret: string | undefined,
  encoding: SecretEncoding = 'whsec',
): Rejection | undefined {
  if (secret === undefined || (encoding === 'whsec' && isSecret(secret))) return undefined;
  const [pattern, format] = encoding === 'whsec' ? [/(?!)/, secretFormat] : formats[encoding];
  if (pattern.test(secret)) return undefined;
  return rejectField('/secret', 'invalid_format', `secret must be ${format}.`);
}

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
