import { misconfigured } from './errors.ts';

/** A signing secret: `whsec_` + base64 of 24 to 64 bytes, or the raw key bytes. */
export type WebhookSecret = string | Uint8Array;

const prefix = 'whsec_';

function refuse(problem: string): never {
  misconfigured(
    `secret must be ${prefix} + base64 of 24 to 64 bytes, or raw bytes, but ${problem}`,
  );
}

/** What is wrong with a text that is no secret, in words that never repeat it. */
function problemOf(secret: unknown): string {
  if (typeof secret !== 'string') return 'is unset or of another type';
  if (!secret.trim()) return 'is empty';
  if (/\s/.test(secret)) return 'holds white space';
  if (/^cg_/.test(secret)) return 'is an API key';
  return /^wh[sp]k_/.test(secret) ? 'is a key of another scheme (whsk_, whpk_)' : 'is another text';
}

/** `whsec_` + base64 of key bytes. */
export function formatSecret(bytes: Uint8Array): string {
  return prefix + btoa(String.fromCharCode(...bytes));
}

/**
 * The key bytes of a secret.
 *
 * @throws WebhookConfigurationError when it is anything but `whsec_` + strict base64 of 24 to 64 bytes,
 * or a non-empty `Uint8Array`.
 */
export function parseSecret(secret: WebhookSecret): Uint8Array {
  if (secret instanceof Uint8Array) {
    if (!secret.length) refuse('is empty');
    if (String.fromCharCode(...secret.subarray(0, 6)) === prefix) refuse('is the bytes of a text');
    return secret;
  }
  let bytes = new Uint8Array();
  try {
    bytes = Uint8Array.from(atob(secret.slice(prefix.length)), (char) => char.charCodeAt(0));
  } catch {}
  // atob is lenient: only the one canonical spelling survives the way back.
  if (formatSecret(bytes) !== secret) refuse(problemOf(secret));
  if (bytes.length < 24 || bytes.length > 64) refuse(`holds ${bytes.length}`);
  return bytes;
}
