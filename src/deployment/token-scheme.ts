import type { SecretEncoding } from '../deployment-port.ts';
import { parseSecret, type WebhookSecret } from '../signing/secret.ts';
import { matchesAny, type Scheme } from '../signing/standard-scheme.ts';
import { secretForm } from './secret-form.ts';

/** The header carries the secret itself, behind a prefix such as `Bearer `. */
export function tokenScheme(header: string, prefix: string): Scheme {
  const form = secretForm('utf8' satisfies SecretEncoding);
  const textOf = (secret: WebhookSecret) =>
    prefix + new TextDecoder().decode(parseSecret(secret, undefined, form));
  return {
    name: 'token',
    signatureHeaders: [header],
    sendsEnvelope: false,
    signsEnvelope: false,
    prepare: (secret, name) => void parseSecret(secret, name, form),
    sign: ({ secrets: [newest = ''] }) => ({ [header]: textOf(newest) }),
    check: ({ secrets, signature }) =>
      matchesAny(secrets.map(textOf), [signature]) ? 'valid' : 'signature_mismatch',
  };
}
