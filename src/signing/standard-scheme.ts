import type { CheckInput, Scheme, SignInput, WebhookSecret } from '../scheme-port.ts';
import type { HmacAlgorithm, HmacEncoding } from './hmac.ts';
import { keyFor, type SecretForm, whsecForm } from './secret.ts';

export type { CheckInput, Scheme, SignInput } from '../scheme-port.ts';

let standard: Scheme | undefined;

/**
 * The default scheme, Standard Webhooks: `v1,<base64 HMAC-SHA256>` over `<webhook-id>.<webhook-timestamp>.<body>`.
 * It is sent as `X-Service-Signature` and as `webhook-signature`, so that any Standard Webhooks library verifies it.
 */
export function standardScheme(): Scheme {
  standard ??= standardSchemeOf(whsecForm);
  return standard;
}

/** @internal The default scheme with secrets in another encoding. */
export function standardSchemeOf(secrets: SecretForm): Scheme {
  const hmac: Hmac = { algorithm: 'sha256', encoding: 'base64', secrets };
  const signatureHeaders = ['X-Service-Signature', 'webhook-signature'] as const;
  const headOf = ({ id, timestamp }: SignInput | CheckInput) => `${id}.${timestamp}.`;
  return {
    name: 'standard',
    signatureHeaders,
    sendsEnvelope: true,
    signsEnvelope: true,
    prepare: (secret, name) => prepareKey(hmac, secret, name),
    async sign(input) {
      const digests = await digestsOf(hmac, headOf(input), input);
      const signature = digests.map((digest) => `v1,${digest}`).join(' ');
      return {
        'webhook-id': input.id,
        'webhook-timestamp': `${input.timestamp}`,
        ...Object.fromEntries(signatureHeaders.map((header) => [header, signature])),
      };
    },
    async check(input) {
      const entries = splitSignatures(input.signature, ' ');
      if (!entries) return 'malformed_header';
      const candidates = entries.filter((entry) => entry.length === 47 && entry.startsWith('v1,'));
      // A candidate that is not canonical equals no digest, so it is harmless next to one that is.
      if (!candidates.some((entry) => /[AEIMQUYcgkosw048]=$/.test(entry)))
        return 'no_supported_signature';
      const digests = await digestsOf(hmac, headOf(input), input);
      return matchesAny(digests, candidates, 3) ? 'valid' : 'signature_mismatch';
    },
  };
}

/** @internal How the digests of a scheme are made. */
export interface Hmac {
  readonly secrets: SecretForm;
  readonly algorithm: HmacAlgorithm;
  readonly encoding: HmacEncoding;
}

const maxHeaderLength = 2048;
const maxSignatures = 16;

/** @internal The parts of a signature header; `undefined` above the caps, which come before any hashing. */
export function splitSignatures(header: string, separator: string): readonly string[] | undefined {
  if (header.length > maxHeaderLength) return undefined;
  const entries = header.split(separator, maxSignatures + 1);
  return entries.length > maxSignatures ? undefined : entries;
}

/** @internal Finds a bad secret before the first delivery. */
export function prepareKey(
  { algorithm, secrets }: Hmac,
  secret: WebhookSecret,
  name?: string,
): void {
  keyFor(algorithm, secret, name, secrets);
}

/** @internal One digest per secret. */
export async function digestsOf(
  { algorithm, encoding, secrets: form }: Hmac,
  head: string,
  { body, secrets }: Pick<SignInput, 'body' | 'secrets'>,
): Promise<string[]> {
  const digests: string[] = [];
  for (const secret of secrets)
    digests.push(await keyFor(algorithm, secret, undefined, form).digest(head, body, encoding));
  return digests;
}

/**
 * @internal Whether any expected text equals any given text, in constant time: the time depends only on lengths, because
 * every pair is compared to its end.
 *
 * @param start - Where the comparison begins in each given text.
 */
export function matchesAny(
  expected: readonly string[],
  given: readonly string[],
  start = 0,
): boolean {
  let matched = false;
  for (const expectedText of expected) {
    for (const text of given) {
      let difference = expectedText.length ^ (text.length - start);
      for (let index = 0; index < expectedText.length; index++)
        difference |= expectedText.charCodeAt(index) ^ text.charCodeAt(start + index);
      matched = difference === 0 || matched;
    }
  }
  return matched;
}
