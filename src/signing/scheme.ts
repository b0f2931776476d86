import { WebhookConfigurationError } from './configuration-error.ts';
import type { HmacAlgorithm, HmacEncoding } from './hmac.ts';
import { keyFor } from './keys.ts';
import type { WebhookSecret } from './secret.ts';
import { matchesAny, readSignatures, type SignatureListProblem } from './signature.ts';

/** What is signed: the message's id, the attempt's time in Unix seconds, and the body as sent. */
export interface SignInput {
  readonly id: string;
  /** Unix seconds, an integer above 0. */
  readonly timestamp: number;
  readonly body: Uint8Array;
  /** The newest first; every one signs. */
  readonly secrets: readonly WebhookSecret[];
}

/** What is checked. `id` and `timestamp` are absent only where {@link Scheme.signsEnvelope} is false. */
export interface CheckInput {
  readonly id: string | undefined;
  readonly timestamp: number | undefined;
  /** The value of the signature header, as it arrived. */
  readonly signature: string;
  readonly body: Uint8Array;
  readonly secrets: readonly WebhookSecret[];
}

/** `valid`, or why not. */
export type Verdict = 'valid' | 'signature_mismatch' | SignatureListProblem;

/**
 * How deliveries are signed: a value that the receiver and the reference server share.
 * `sign` and `check` answer at once where the platform has `node:crypto`, else with a promise.
 */
export interface Scheme {
  readonly name: string;
  /** Headers that carry the signature, in the spelling that is sent; present ones must be equal. */
  readonly signatureHeaders: readonly string[];
  /** Whether the signature covers id and time. When false, a captured body can be sent again for ever. */
  readonly signsEnvelope: boolean;
  /** All headers of a delivery: `webhook-id`, `webhook-timestamp` and the signature's. */
  sign(input: SignInput): Record<string, string> | Promise<Record<string, string>>;
  /** One HMAC per secret however many signatures the header lists; compared in constant time. */
  check(input: CheckInput): Verdict | Promise<Verdict>;
}

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

interface Format {
  readonly name: string;
  readonly algorithm: HmacAlgorithm;
  readonly encoding: HmacEncoding;
  readonly prefix: string;
  readonly headers: readonly string[];
  readonly signsEnvelope: boolean;
}

const headerName = /^[A-Za-z0-9-]{1,64}$/;
const messageId = /^[A-Za-z0-9_-]{1,255}$/;
const base64Tail: Record<HmacAlgorithm, string> = {
  sha256: '[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=',
  sha512: '[A-Za-z0-9+/]{85}[AQgw]==',
};

/** Matches `prefix` + a digest in its one canonical encoding. */
function signaturePattern({ algorithm, encoding, prefix }: Format): RegExp {
  const hex = algorithm === 'sha256' ? '[0-9a-f]{64}' : '[0-9a-f]{128}';
  const lead = prefix.replace(/[^A-Za-z0-9]/g, '\\$&');
  return new RegExp(`^${lead}${encoding === 'hex' ? hex : base64Tail[algorithm]}$`);
}

/** `all` over values that may be there already: a promise only if one of them is. */
function whenAll<T, R>(values: readonly (T | Promise<T>)[], then: (values: T[]) => R) {
  return values.some((value) => value instanceof Promise)
    ? Promise.all(values).then(then)
    : then(values as T[]);
}

function createScheme(format: Format): Scheme {
  const { algorithm, encoding, prefix, headers, signsEnvelope } = format;
  const pattern = signaturePattern(format);
  const digests = (input: SignInput | CheckInput) => {
    const head = signsEnvelope ? `${input.id}.${input.timestamp}.` : '';
    return input.secrets.map((secret) =>
      keyFor(algorithm, secret).digest(head, input.body, encoding),
    );
  };
  return {
    name: format.name,
    signatureHeaders: headers,
    signsEnvelope,
    sign(input) {
      assertSignable(input);
      return whenAll(digests(input), (macs) => {
        const signature = macs.map((mac) => prefix + mac).join(' ');
        const sent: Record<string, string> = {
          'webhook-id': input.id,
          'webhook-timestamp': String(input.timestamp),
        };
        for (const header of headers) sent[header] = signature;
        return sent;
      });
    },
    check(input) {
      const given = readSignatures(input.signature, prefix, pattern);
      if (typeof given === 'string') return given;
      return whenAll(digests(input), (macs) =>
        matchesAny(macs, given) ? 'valid' : 'signature_mismatch',
      );
    },
  };
}

function assertSignable({ id, timestamp, secrets }: SignInput): void {
  if (!messageId.test(id))
    throw new WebhookConfigurationError('Failed to sign: id must match [A-Za-z0-9_-]{1,255}.');
  if (!Number.isInteger(timestamp) || timestamp < 1 || timestamp > 999_999_999_999)
    throw new WebhookConfigurationError('Failed to sign: timestamp must be whole Unix seconds.');
  if (secrets.length === 0) throw new WebhookConfigurationError('Failed to sign: no secret given.');
}

let standard: Scheme | undefined;

/**
 * The default: `v1,<base64 HMAC-SHA256>` over `<webhook-id>.<webhook-timestamp>.<body>`, sent as
 * `X-Service-Signature` and as `webhook-signature`, so that any Standard Webhooks library verifies it.
 */
export function standardScheme(): Scheme {
  standard ??= createScheme({
    name: 'standard',
    algorithm: 'sha256',
    encoding: 'base64',
    prefix: 'v1,',
    headers: ['X-Service-Signature', 'webhook-signature'],
    signsEnvelope: true,
  });
  return standard;
}

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
  const refuse = (problem: string): never => {
    throw new WebhookConfigurationError(`Failed to set up plainHmac: ${problem}`);
  };
  if (algorithm !== 'sha256' && algorithm !== 'sha512')
    refuse('algorithm must be sha256 or sha512.');
  if (encoding !== 'hex' && encoding !== 'base64') refuse('encoding must be hex or base64.');
  if (!/^[!-~]{0,64}$/.test(prefix)) refuse('prefix must be up to 64 visible ASCII characters.');
  if (!headerName.test(header)) refuse('header must match [A-Za-z0-9-]{1,64}.');
  return createScheme({
    name: `plain-hmac-${algorithm}-${encoding}`,
    algorithm,
    encoding,
    prefix,
    headers: [header],
    signsEnvelope: false,
  });
}
