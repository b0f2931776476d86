import { WebhookConfigurationError } from './configuration-error.ts';

/** A signing secret: `whsec_` + base64 of 24 to 64 bytes, or the raw key bytes. */
export type WebhookSecret = string | Uint8Array;

const prefix = 'whsec_';
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function refuse(problem: string): never {
  throw new WebhookConfigurationError(`Failed to read the webhook secret: ${problem}`);
}

/** What is wrong with a text that is no `whsec_` secret, in words that never repeat it. */
function problemOf(text: string): string {
  if (text.trim() === '') return 'it is empty. Is the environment variable set?';
  if (/\s/.test(text)) return 'it holds white space or a line break. Trim it where it is stored.';
  if (text.startsWith('cg_')) return 'it is an API key. Use the signing secret (whsec_…).';
  if (text.startsWith('whsk_')) return 'whsk_ is a private signing key, this scheme needs whsec_….';
  if (text.startsWith('whpk_')) return 'whpk_ is a public key, this scheme needs whsec_….';
  return 'it does not start with whsec_. Pass it whole, or raw key bytes as a Uint8Array.';
}

/**
 * The key bytes of a secret.
 *
 * @throws WebhookConfigurationError when it is anything but `whsec_` + strict base64 of 24 to 64 bytes,
 * or a non-empty `Uint8Array`.
 */
export function parseSecret(secret: WebhookSecret): Uint8Array {
  if (secret instanceof Uint8Array) {
    if (secret.length === 0) refuse('its bytes are empty.');
    if (String.fromCharCode(...secret.subarray(0, 6)) === prefix)
      refuse('its bytes are the text whsec_…. Pass it as a string.');
    return secret;
  }
  if (typeof secret !== 'string') refuse('it is neither a string nor a Uint8Array.');
  if (!secret.startsWith(prefix) || /\s/.test(secret)) refuse(problemOf(secret));
  const text = secret.slice(prefix.length);
  if (!base64.test(text)) refuse('what follows whsec_ is not padded standard base64.');
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  if (bytes.length < 24 || bytes.length > 64)
    refuse(`it holds ${bytes.length} bytes. It must hold 24 to 64.`);
  if (btoa(String.fromCharCode(...bytes)) !== text) refuse('its base64 is not canonical.');
  return bytes;
}

/** `whsec_` + base64 of 24 to 64 key bytes. */
export function formatSecret(bytes: Uint8Array): string {
  const secret = prefix + btoa(String.fromCharCode(...bytes));
  parseSecret(secret);
  return secret;
}
