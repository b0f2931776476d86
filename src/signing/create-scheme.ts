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
  /**
   * Prepares the key of a secret, so that a bad one is found before any delivery.
   *
   * @throws WebhookConfigurationError when the secret is unusable.
   */
  prepare(secret: WebhookSecret): void;
  /** All headers of a delivery, its id and time taken as given: `webhook-id`, `webhook-timestamp` and the signature's. */
  sign(input: SignInput): Record<string, string> | Promise<Record<string, string>>;
  /** One HMAC per secret however many signatures the header lists; compared in constant time. */
  check(input: CheckInput): Verdict | Promise<Verdict>;
}

/** @internal How a scheme writes its signatures. */
export interface Format {
  readonly name: string;
  readonly algorithm: HmacAlgorithm;
  readonly encoding: HmacEncoding;
  readonly prefix: string;
  /** Matches `prefix` + a digest in its one canonical encoding. */
  readonly pattern: RegExp;
  readonly headers: readonly string[];
  readonly signsEnvelope: boolean;
}

/** Most signatures and most characters of a signature header; more is refused unread. */
const maxTokens = 16;
const maxLength = 2048;

/** `all` over values that may be there already: a promise only if one of them is. */
function whenAll<T, R>(values: readonly (T | Promise<T>)[], then: (values: T[]) => R) {
  return values.some((value) => value instanceof Promise)
    ? Promise.all(values).then(then)
    : then(values as T[]);
}

/** @internal The scheme of a format. */
export function createScheme(format: Format): Scheme {
  const { name, algorithm, encoding, prefix, pattern, headers, signsEnvelope } = format;
  const signatures = ({ id, timestamp, body, secrets }: SignInput | CheckInput) => {
    const head = signsEnvelope ? `${id}.${timestamp}.` : '';
    return secrets.map((secret) => {
      const mac = keyFor(algorithm, secret).digest(head, body, encoding);
      return typeof mac === 'string' ? prefix + mac : mac.then((late) => prefix + late);
    });
  };
  return {
    name,
    signatureHeaders: headers,
    signsEnvelope,
    prepare(secret) {
      keyFor(algorithm, secret);
    },
    sign(input) {
      return whenAll(signatures(input), (all) => ({
        'webhook-id': input.id,
        'webhook-timestamp': `${input.timestamp}`,
        ...Object.fromEntries(headers.map((header) => [header, all.join(' ')])),
      }));
    },
    check(input) {
      const tokens = input.signature.trim().split(/[ \t]+/, maxTokens + 1);
      if (input.signature.length > maxLength || tokens.length > maxTokens)
        return 'malformed_header';
      const given = tokens.filter((token) => pattern.test(token));
      if (!given.length) return 'no_supported_signature';
      return whenAll(signatures(input), (all) =>
        matchesAny(all, given) ? 'valid' : 'signature_mismatch',
      );
    },
  };
}
