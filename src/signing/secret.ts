import { misconfigured } from './errors.ts';

/** A signing secret: `whsec_` + base64 of 24 to 64 bytes, or the raw key bytes. */
export type WebhookSecret = string | Uint8Array;

/** `whsec_` + base64 of key bytes. */
export function formatSecret(bytes: Uint8Array): string {
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

/**
 * The key bytes of a secret.
 *
 * @throws WebhookConfigurationError when it is anything but `whsec_` + strict base64 of 24 to 64 bytes,
 * or a non-empty `Uint8Array`.
 */
export function parseSecret(secret: WebhookSecret): Uint8Array {
  if (secret instanceof Uint8Array && secret.length) return secret;
  let bytes = new Uint8Array();
  try {
    bytes = Uint8Array.from(atob((secret as string).slice(6)), (char) => char.charCodeAt(0));
  } catch {}
  // atob is lenient: only the one canonical spelling survives the way back.
  if (formatSecret(bytes) !== secret || bytes.length < 24 || bytes.length > 64)
    misconfigured(
      'secret must be whsec_ + base64 of 24 to 64 bytes, not an API key, whsk_, white space, empty or unset',
    );
  return bytes;
}
