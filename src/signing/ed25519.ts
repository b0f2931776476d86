import type { SecretEncoding } from '../deployment.ts';
import { matches, mustBe, type OptionRules } from '../option-rules.ts';
import type { Ed25519Keys } from './ed25519-crypto.ts';
import { assertOptions, misconfigured } from './errors.ts';
import { listSignatures, type Scheme, standardSchemeOf } from './scheme.ts';
import type { WebhookSecret } from './secret.ts';

/** Options of {@link ed25519}. */
export interface Ed25519Options {
  /**
   * For a sender: a `whsk_` key that signs every delivery in addition to its secrets. A receiver leaves it out.
   * @default none
   */
  readonly privateKey?: string;
}

/** 32 bytes; a private key can be followed by its public key. */
const keyFormat =
  /^(?:wh[ps]k_[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=|whsk_[A-Za-z0-9+/]{85}[AQgw]==)$/;
const signatureFormat = /^v1a,[A-Za-z0-9+/]{85}[AQgw]==$/;
/** Each costs a verification per key, so there are fewer than of `v1`. */
const maxSignatures = 4;
/** A chunk of its own, because few receivers need it. */
const load = () => import('./ed25519-crypto.ts');

const rules: OptionRules<Ed25519Options> = {
  privateKey: mustBe('a whsk_ key', (key) => matches(keyFormat)(key) && key.startsWith('whsk_')),
};

/**
 * Standard Webhooks with a public key: `v1a,<base64 Ed25519 signature>` over `<webhook-id>.<webhook-timestamp>.<body>`.
 * A secret is a `whpk_` key to verify with, a `whsk_` key to sign with, or a `whsec_` secret, whose `v1` signatures
 * stand in the same header; one that verifies suffices. Needs a runtime whose Web Crypto has Ed25519.
 *
 * @throws WebhookConfigurationError when `privateKey` is not a `whsk_` key.
 * @example
 * const receive = createWebhookHandler({ secret: 'whpk_…', scheme: ed25519(), on });
 */
export function ed25519(options: Ed25519Options = {}): Scheme {
  assertOptions(options, rules);
  return ed25519Of(options, 'whsec');
}

/** @internal The same for checked options, with other secrets in another encoding. */
export function ed25519Of({ privateKey }: Ed25519Options, secretEncoding: SecretEncoding): Scheme {
  const standard = standardSchemeOf(secretEncoding);
  const data = { type: 'ed25519' };
  const scheme: Scheme = {
    ...standard,
    ...data,
    name: 'ed25519',
    prepare(secret, name = 'secret') {
      if (!isKey(secret)) standard.prepare(secret, name);
      else if (!keyFormat.test(secret))
        misconfigured(
          `${name} is not a complete ${secret.slice(0, 5)} key`,
          'Copy it again: 32 bytes in padded base64 follow the prefix, or 64 after whsk_.',
        );
    },
    async sign(input) {
      const { signature } = await load();
      const keys = input.secrets.filter(isKey);
      if (privateKey !== undefined) keys.push(privateKey);
      const secrets = input.secrets.filter((secret) => !isKey(secret));
      const headers = await standard.sign({ ...input, secrets });
      const signatures = await Promise.all(keys.map((key) => signature(key, input)));
      const value = [headers[standard.signatureHeaders[0]], ...signatures].filter(Boolean);
      const named = standard.signatureHeaders.map((header) => [header, value.join(' ')]);
      return { ...headers, ...Object.fromEntries(named) };
    },
    async check(input) {
      const entries = listSignatures(input.signature);
      if (!entries) return 'malformed_header';
      const secrets = input.secrets.filter((secret) => !isKey(secret));
      const verdict =
        secrets.length > 0 ? await standard.check({ ...input, secrets }) : 'no_supported_signature';
      const keys = input.secrets.filter(isKey);
      const given = entries.filter((entry) => signatureFormat.test(entry));
      if (verdict === 'valid' || keys.length === 0 || given.length === 0) return verdict;
      if (given.length > maxSignatures) return 'malformed_header';
      const { matches } = await load();
      return (await matches(keys, given, input)) ? 'valid' : 'signature_mismatch';
    },
  };
  // Not enumerable: neither a log nor JSON shows it.
  Object.defineProperty(scheme, 'privateKey', { value: privateKey });
  return Object.assign(scheme, { toJSON: () => data });
}

/**
 * Creates the keys of a sender whose receivers use {@link ed25519}.
 *
 * @throws WebhookConfigurationError when the runtime has no Ed25519.
 * @example
 * const { privateKey, publicKey } = await generateEd25519Keys();
 */
export async function generateEd25519Keys(): Promise<Ed25519Keys> {
  const { generate } = await load();
  return generate();
}

const isKey = (secret: WebhookSecret): secret is string =>
  typeof secret === 'string' && /^wh[ps]k_/.test(secret);
