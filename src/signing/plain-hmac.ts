import { createScheme, type Scheme } from './create-scheme.ts';
import { misconfigured } from './errors.ts';
import type { HmacAlgorithm, HmacEncoding } from './hmac.ts';

/** Options of {@link plainHmac}. */
export interface PlainHmacOptions {
  /** @default 'sha256' */
  readonly algorithm?: HmacAlgorithm;
  /** @default 'hex' */
  readonly encoding?: HmacEncoding;
  /** Text before the digest, for instance `sha256=`. @default '' */
  readonly prefix?: string;
  /** @default 'X-Service-Signature' */
  readonly header?: string;
}

const digestForms = {
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
 * HMAC of the body alone, for deployments that sign so. Neither id nor time is signed: whoever captured
 * a delivery can send it again, so keep a dedupe store.
 *
 * @throws WebhookConfigurationError on an unknown algorithm or encoding, a prefix with white space, or a
 * header name outside `[A-Za-z0-9-]{1,64}`.
 */
export function plainHmac(options: PlainHmacOptions = {}): Scheme {
  const {
    algorithm = 'sha256',
    encoding = 'hex',
    prefix = '',
    header = 'X-Service-Signature',
  } = options;
  if (algorithm !== 'sha256' && algorithm !== 'sha512')
    misconfigured('algorithm of plainHmac must be sha256 or sha512');
  if (encoding !== 'hex' && encoding !== 'base64')
    misconfigured('encoding of plainHmac must be hex or base64');
  if (!/^[!-~]{0,64}$/.test(prefix))
    misconfigured('prefix of plainHmac must be up to 64 visible ASCII characters');
  if (!/^[A-Za-z0-9-]{1,64}$/.test(header))
    misconfigured('header of plainHmac must match [A-Za-z0-9-]{1,64}');
  return createScheme(`plain-hmac-${algorithm}-${encoding}`, {
    algorithm,
    encoding,
    prefix,
    ...digestForms[algorithm][encoding],
    signatureHeaders: [header],
    signsEnvelope: false,
  });
}
