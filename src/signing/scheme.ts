import type { SchemeData, SecretEncoding } from '../deployment.ts';
import { type HmacAlgorithm, type HmacEncoding, matchesAny } from './hmac.ts';
import { keyFor, leastBytes, parseSecret, type SecretForm, type WebhookSecret } from './secret.ts';

let standard: Scheme | undefined;

/**
 * The default scheme, Standard Webhooks: `v1,<base64 HMAC-SHA256>` over `<webhook-id>.<webhook-timestamp>.<body>`.
 * It is sent as `X-Service-Signature` and as `webhook-signature`, so that any Standard Webhooks library verifies it.
 */
export function standardScheme(): Scheme {
  standard ??= standardSchemeOf('whsec');
  return standard;
}

/** @internal The default scheme with secrets in another encoding. */
export function standardSchemeOf(secretEncoding: SecretEncoding): Scheme {
  return createScheme(
    'standard',
    { type: 'standard' },
    {
      secrets: { encoding: secretEncoding, least: leastBytes },
      algorithm: 'sha256',
      encoding: 'base64',
      prefix: 'v1,',
      digestLength: 44,
      canonical: /[AEIMQUYcgkosw048]=$/,
      signatureHeaders: ['X-Service-Signature', 'webhook-signature'],
      signedHead: (id, timestamp) => `${id}.${timestamp}.`,
      sendsEnvelope: true,
    },
  );
}

/** What is signed: the message's id, the time of the attempt and the body as sent. */
export interface SignInput {
  readonly id: string;
  /** Unix seconds, an integer above 0. */
  readonly timestamp: number;
  readonly body: Uint8Array;
  /** Newest first; each one adds a signature. */
  readonly secrets: readonly WebhookSecret[];
}

/** What is checked. `id` and `timestamp` are missing only where {@link Scheme.signsEnvelope} is false. */
export interface CheckInput {
  readonly id: string | undefined;
  readonly timestamp: number | undefined;
  /** The value of the signature header, as received. */
  readonly signature: string;
  readonly body: Uint8Array;
  readonly secrets: readonly WebhookSecret[];
}

/** The result of a check. */
export type Verdict =
  | 'valid'
  | 'signature_mismatch'
  | 'no_supported_signature'
  | 'malformed_header';

/**
 * How deliveries are signed; the receiver and the reference server share it. `sign` and `check` are
 * synchronous where the platform has `node:crypto`, and return a promise elsewhere.
 */
export interface Scheme {
  /** The scheme as `deployment.json` writes it; absent for a scheme of your own. */
  readonly type?: string;
  /** The name of the scheme, for messages. */
  readonly name: string;
  /** The one or two headers that carry the signature. If both are present, they must be equal. */
  readonly signatureHeaders: readonly [string] | readonly [string, string];
  /** Whether the signature covers id and time. If not, a captured delivery can be replayed at any time. */
  readonly signsEnvelope: boolean;
  /**
   * Prepares the key of a secret, so that a bad secret is found before the first delivery.
   *
   * @param name - What an error calls the secret. Default: `secret`.
   * @throws WebhookConfigurationError when the secret is unusable.
   */
  prepare(secret: WebhookSecret, name?: string): void;
  /** Whether deliveries carry `webhook-id` and `webhook-timestamp`. @default true */
  readonly sendsEnvelope?: boolean;
  /** All signing headers of a delivery: the signature headers and, if the deployment sends them, `webhook-id` and `webhook-timestamp`. */
  sign(input: SignInput): Record<string, string> | Promise<Record<string, string>>;
  /** Computes one HMAC per secret, however many signatures the header lists, and compares in constant time. */
  check(input: CheckInput): Verdict | Promise<Verdict>;
}

/** @internal What a scheme signs, and how it formats its signatures. */
export interface Format {
  readonly secrets: SecretForm;
  readonly algorithm: HmacAlgorithm;
  readonly encoding: HmacEncoding;
  readonly prefix: string;
  /** Length of a digest in characters. */
  readonly digestLength: number;
  /** Matches the end of a digest in its canonical spelling. */
  readonly canonical: RegExp;
  readonly signatureHeaders: readonly [string] | readonly [string, string];
  /** What is signed before the body; absent if only the body is signed. */
  readonly signedHead?: (id: string | undefined, timestamp: number | undefined) => string;
  /** Whether deliveries carry `webhook-id` and `webhook-timestamp`. */
  readonly sendsEnvelope: boolean;
}

const maxHeaderLength = 2048;
const maxSignatures = 16;

/** @internal Creates the scheme for a format. It has the fields of its data, and JSON contains nothing else. */
export function createScheme(name: string, data: SchemeData, format: Format): Scheme {
  const { prefix, digestLength, canonical, signatureHeaders, sendsEnvelope } = format;
  const signatureLength = prefix.length + digestLength;
  const scheme: Scheme = {
    ...data,
    name,
    signatureHeaders,
    sendsEnvelope,
    signsEnvelope: format.signedHead !== undefined,
    prepare: (secret, secretName) =>
      void keyFor(format.algorithm, secret, secretName, format.secrets),
    sign: (input) =>
      withDigests(format, input, (digests) => {
        const signature = digests.map((digest) => prefix + digest).join(' ');
        return {
          ...(format.sendsEnvelope && {
            'webhook-id': input.id,
            'webhook-timestamp': `${input.timestamp}`,
          }),
          ...Object.fromEntries(signatureHeaders.map((header) => [header, signature])),
        };
      }),
    check(input) {
      const entries = listSignatures(input.signature);
      if (!entries) return 'malformed_header';
      const candidates = entries.filter(
        (entry) => entry.length === signatureLength && entry.startsWith(prefix),
      );
      // A candidate that is not canonical equals no digest, so it is harmless next to one that is.
      if (!candidates.some((entry) => canonical.test(entry))) return 'no_supported_signature';
      return withDigests(format, input, (digests) =>
        matchesAny(digests, candidates, prefix.length) ? 'valid' : 'signature_mismatch',
      );
    },
  };
  return Object.assign(scheme, { toJSON: () => data });
}

/** The signatures of a header; `undefined` above the caps, which come before any hashing. */
function listSignatures(header: string): readonly string[] | undefined {
  if (header.length > maxHeaderLength) return undefined;
  const entries = header.split(' ', maxSignatures + 1);
  return entries.length > maxSignatures ? undefined : entries;
}

/** @internal The header carries the secret itself. */
export function tokenScheme(header = 'X-Service-Token'): Scheme {
  const form: SecretForm = { encoding: 'utf8', least: 1 };
  const textOf = (secret: WebhookSecret) =>
    new TextDecoder().decode(parseSecret(secret, undefined, form));
  const data = { type: 'token', header };
  const scheme: Scheme = {
    ...data,
    name: 'token',
    signatureHeaders: [header],
    sendsEnvelope: false,
    signsEnvelope: false,
    prepare: (secret, name) => void parseSecret(secret, name, form),
    sign: ({ secrets: [newest = ''] }) => ({ [header]: textOf(newest) }),
    check: ({ secrets, signature }) =>
      matchesAny(secrets.map(textOf), [signature]) ? 'valid' : 'signature_mismatch',
  };
  return Object.assign(scheme, { toJSON: () => data });
}

/** Passes one digest per secret to `use`; returns a promise only where hashing does. */
function withDigests<R>(
  format: Format,
  { id, timestamp, body, secrets }: SignInput | CheckInput,
  use: (digests: string[]) => R,
): R | Promise<R> {
  const { algorithm, encoding, signedHead } = format;
  const head = signedHead?.(id, timestamp) ?? '';
  const digests = secrets.map((secret) =>
    keyFor(algorithm, secret, undefined, format.secrets).digest(head, body, encoding),
  );
  // A platform hashes either always synchronously or never.
  return digests[0] instanceof Promise ? Promise.all(digests).then(use) : use(digests as string[]);
}
