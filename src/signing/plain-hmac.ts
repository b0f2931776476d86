import { assertKnownOptions, misconfigured } from './errors.ts';
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

const optionNames: Record<keyof PlainHmacOptions, true> = {
  algorithm: true,
  encoding: true,
  prefix: true,
  header: true,
  envelopeHeaders: true,
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
 * @throws WebhookConfigurationError on an unknown algorithm or encoding, a prefix with white space, or a header name
 * outside `[A-Za-z0-9-]{1,64}`.
 * @example
 * const scheme = plainHmac({ prefix: 'sha256=', header: 'X-Hub-Signature-256' });
 */
export function plainHmac(options: PlainHmacOptions = {}): Scheme {
  assertKnownOptions(options, optionNames);
  const {
    algorithm = 'sha256',
    encoding = 'hex',
    prefix = '',
    header = 'X-Service-Signature',
    envelopeHeaders = true,
  } = options;
  if (algorithm !== 'sha256' && algorithm !== 'sha512')
    misconfigured('plainHmac does not know this algorithm', "Pass 'sha256' or 'sha512'.");
  if (encoding !== 'hex' && encoding !== 'base64')
    misconfigured('plainHmac does not know this encoding', "Pass 'hex' or 'base64'.");
  if (!/^[!-~]{0,64}$/.test(prefix))
    misconfigured(
      'the prefix of plainHmac is too long or contains white space or control characters',
      'Pass up to 64 visible ASCII characters.',
    );
  if (!/^[A-Za-z0-9-]{1,64}$/.test(header))
    misconfigured(
      'the header of plainHmac is not a valid header name',
      'Pass 1 to 64 letters, digits or hyphens.',
    );
  if (typeof envelopeHeaders !== 'boolean')
    misconfigured('envelopeHeaders of plainHmac is not a boolean', 'Pass true or false.');
  return createScheme(`plain-hmac-${algorithm}-${encoding}`, {
    algorithm,
    encoding,
    prefix,
    ...digestFormats[algorithm][encoding],
    signatureHeaders: [header],
    sendsEnvelope: envelopeHeaders,
  });
}
