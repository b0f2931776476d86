import type { SecretEncoding } from '../deployment.ts';
import { flag, matches, mustBe, type OptionRules, oneOf } from '../options/rules.ts';
import { assertOptions } from './errors.ts';
import type { HmacAlgorithm, HmacEncoding } from './hmac.ts';
import { createScheme, type Scheme } from './scheme.ts';

/** Options of {@link plainHmac}. */
export interface PlainHmacOptions {
  /**
   * The hash function.
   * @default 'sha256'
   */
  readonly algorithm?: HmacAlgorithm;
  /**
   * How the signature is written.
   * @default 'hex'
   */
  readonly encoding?: HmacEncoding;
  /** Text before the digest, for instance `sha256=`: up to 64 visible ASCII characters. @default '' */
  readonly prefix?: string;
  /** The header that carries the signature. @default 'X-Service-Signature' */
  readonly header?: string;
  /**
   * Send `webhook-id` and `webhook-timestamp` with the signature, although it does not cover them. With `false`, only
   * the signature header is sent, so the receiver needs `allowUntimed: true`. @default true
   */
  readonly envelopeHeaders?: boolean;
}

const rules: OptionRules<PlainHmacOptions> = {
  algorithm: oneOf(['sha256', 'sha512']),
  encoding: oneOf(['hex', 'base64']),
  prefix: mustBe('up to 64 visible ASCII characters', matches(/^[!-~]{0,64}$/)),
  header: mustBe('1 to 64 letters, digits or hyphens', matches(/^[A-Za-z0-9-]{1,64}$/)),
  envelopeHeaders: flag,
};

const digestFormats = {
  sha256: {
    hex: { digestLength: 64, canonical: /[0-9a-f]{64}$/ },
    base64: { digestLength: 44, canonical: /[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/ },
  },
  sha512: {
    hex: { digestLength: 128, canonical: /[0-9a-f]{128}$/ },
    base64: { digestLength: 88, canonical: /[A-Za-z0-9+/]{85}[AQgw]==$/ },
  },
};

/**
 * HMAC over only the body, for deployments that sign this way. Id and time are not signed, so anyone who captures a
 * delivery can replay it: use a dedupe store. If the deployment sends no `webhook-timestamp`, the receiver needs
 * `allowUntimed: true`.
 *
 * The receiver recognizes a delivery by its body, because a replay can carry any id. So two events with the same body,
 * for instance two usage events within one period, count as one: the second is acknowledged as a duplicate, and the
 * receiver warns. If that can happen and you trust the network, pass `dedupeKey: ({ id }) => id`.
 *
 * @throws WebhookConfigurationError on an unknown algorithm or encoding, a prefix with white space, or a header name
 * outside `[A-Za-z0-9-]{1,64}`.
 * @example
 * const scheme = plainHmac({ prefix: 'sha256=', header: 'X-Hub-Signature-256' });
 */
export function plainHmac(options: PlainHmacOptions = {}): Scheme {
  assertOptions(options, rules);
  return plainHmacOf(options, 'whsec');
}

/** @internal The same for checked options, with secrets in another encoding. */
export function plainHmacOf(options: PlainHmacOptions, secretEncoding: SecretEncoding): Scheme {
  const {
    algorithm = 'sha256',
    encoding = 'hex',
    prefix = '',
    header = 'X-Service-Signature',
    envelopeHeaders = true,
  } = options;
  const data = { type: 'plain-hmac', algorithm, encoding, prefix, header, envelopeHeaders };
  return createScheme(`plain-hmac-${algorithm}-${encoding}`, data, {
    // A deployment that signs this way might use any text as its secret; a short one is worth a warning.
    secrets: { encoding: secretEncoding, least: 1 },
    algorithm,
    encoding,
    prefix,
    ...digestFormats[algorithm][encoding],
    signatureHeaders: [header],
    sendsEnvelope: envelopeHeaders,
  });
}
