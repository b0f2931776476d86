import type { HmacAlgorithm, HmacEncoding } from './hmac.ts';
import { keyFor } from './keys.ts';
import type { WebhookSecret } from './secret.ts';
import { matchesAny } from './signature.ts';

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

/** What became of a check. */
export type Verdict =
  | 'valid'
  | 'signature_mismatch'
  | 'no_supported_signature'
  | 'malformed_header';

/** The half of a {@link Scheme} that a receiver needs. */
export interface Checker {
  /** The one or two headers that carry the signature, as they are sent; both present must be equal. */
  readonly signatureHeaders: readonly [string] | readonly [string, string];
  /** Whether the signature covers id and time. When false, a captured body can be sent again for ever. */
  readonly signsEnvelope: boolean;
  /**
   * Prepares the key of a secret, so that a bad one is found before any delivery.
   *
   * @throws WebhookConfigurationError when the secret is unusable.
   */
  readonly prepare: (secret: WebhookSecret) => void;
  /** One HMAC per secret however many signatures the header lists; compared in constant time. */
  check(input: CheckInput): Verdict | Promise<Verdict>;
}

/**
 * How deliveries are signed: a value that the receiver and the reference server share.
 * `sign` and `check` answer at once where the platform has `node:crypto`, else with a promise.
 */
export interface Scheme extends Checker {
  readonly name: string;
  /** All headers of a delivery, its id and time taken as given: `webhook-id`, `webhook-timestamp` and the signature's. */
  sign(input: SignInput): Record<string, string> | Promise<Record<string, string>>;
}

/** @internal How a scheme writes its signatures. */
export interface Format {
  readonly algorithm: HmacAlgorithm;
  readonly encoding: HmacEncoding;
  readonly prefix: string;
  /** Characters of a digest. */
  readonly digestLength: number;
  /** Matches the end of a digest in its one canonical encoding. */
  readonly canonical: RegExp;
  readonly signatureHeaders: readonly [string] | readonly [string, string];
  readonly signsEnvelope: boolean;
}

/** A promise only where hashing is one, which it is for every key or for none. */
function withDigests<R>(
  { algorithm, encoding, signsEnvelope }: Format,
  { id, timestamp, body, secrets }: SignInput | CheckInput,
  then: (digests: string[]) => R,
): R | Promise<R> {
  const head = signsEnvelope ? `${id}.${timestamp}.` : '';
  const all = secrets.map((secret) => keyFor(algorithm, secret).digest(head, body, encoding));
  return all[0] instanceof Promise ? Promise.all(all).then(then) : then(all as string[]);
}

/** @internal The verifying half of a scheme. */
export function createChecker(format: Format): Checker {
  const { algorithm, prefix, digestLength, canonical } = format;
  const length = prefix.length + digestLength;
  return {
    ...format,
    prepare: (secret) => keyFor(algorithm, secret),
    check(input) {
      const { signature } = input;
      // More than 2048 characters or 16 entries are refused before any is hashed.
      const entries = signature.length > 2048 ? [] : signature.split(' ', 17);
      if (!(entries.length % 17)) return 'malformed_header';
      const given = entries.filter((entry) => entry.length === length && entry.startsWith(prefix));
      // What is not canonical equals no digest: it does no harm beside one that is.
      if (!given.some((entry) => canonical.test(entry))) return 'no_supported_signature';
      return withDigests(format, input, (all) =>
        matchesAny(all, given, prefix.length) ? 'valid' : 'signature_mismatch',
      );
    },
  };
}

/** @internal The scheme of a format. */
export function createScheme(name: string, format: Format): Scheme {
  return {
    name,
    ...createChecker(format),
    sign: (input) =>
      withDigests(format, input, (all) => {
        const signature = all.map((digest) => format.prefix + digest).join(' ');
        return {
          'webhook-id': input.id,
          'webhook-timestamp': `${input.timestamp}`,
          ...Object.fromEntries(format.signatureHeaders.map((header) => [header, signature])),
        };
      }),
  };
}
