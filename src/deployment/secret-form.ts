import type { SecretEncoding } from '../deployment-port.ts';
import { misconfigured } from '../signing/errors.ts';
import { encoder } from '../signing/hmac.ts';
import {
  checkSecretText,
  leastBytes,
  mostBytes,
  type SecretForm,
  type WebhookSecret,
  whsecForm,
} from '../signing/secret.ts';

const decoders: Readonly<
  Record<Exclude<SecretEncoding, 'whsec'>, (text: string) => Uint8Array | undefined>
> = {
  utf8: (text) => encoder().encode(text),
  hex: (text) =>
    /^([0-9a-f]{2})+$/i.test(text)
      ? Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
      : undefined,
  base64: (text) =>
    /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)
      ? Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
      : undefined,
};

/**
 * How the secrets of a deployment are read.
 *
 * @param least - The fewest bytes of a key. Where a service decides what a secret is, a short one is worth a warning only.
 */
export function secretForm(encoding: SecretEncoding, least = 1): SecretForm {
  if (encoding === 'whsec') return least === leastBytes ? whsecForm : { ...whsecForm, least };
  return {
    name: encoding,
    least,
    read: (secret, name) => readSecret(secret, name, encoding, least),
  };
}

function readSecret(
  secret: WebhookSecret,
  name: string,
  encoding: Exclude<SecretEncoding, 'whsec'>,
  least: number,
): Uint8Array | undefined {
  if (typeof secret !== 'string' || secret === '') return undefined;
  checkSecretText(secret, name);
  const bytes = decoders[encoding](secret);
  if (!bytes) misconfigured(`${name} is not ${encoding}`, 'Correct it, or secretEncoding.');
  if (bytes.length >= least && bytes.length <= mostBytes) return bytes;
  return misconfigured(
    `${name} has ${bytes.length} bytes`,
    `Use a secret of ${least} to ${mostBytes} bytes.`,
  );
}
