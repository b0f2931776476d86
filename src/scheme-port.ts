/** A signing secret: `whsec_` + base64 of 24 to 64 bytes, or 16 to 4 096 raw key bytes. */
export type WebhookSecret = string | Uint8Array;

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
  /** The time as it was sent, if the scheme reads it itself. */
  readonly sentTime?: string | undefined;
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

/** How deliveries are signed; the receiver and the reference server share it. */
export interface Scheme {
  /** The name of the scheme, for messages. */
  readonly name: string;
  /** The one or two headers that carry the signature. If both are present, they must be equal. */
  readonly signatureHeaders: readonly [string] | readonly [string, string];
  /** Whether the signature covers id and time. If not, a captured delivery can be replayed at any time. */
  readonly signsEnvelope: boolean;
  /** Whether the signature covers the time; a delivery without one is then rejected. @default signsEnvelope */
  readonly signsTime?: boolean;
  /** The header of the delivery's id. @default 'webhook-id' */
  readonly idHeader?: string;
  /** Where the time of a delivery is, if not in `webhook-timestamp`. */
  readonly time?: {
    /** The header that contains it; it can be that of the signature. */
    readonly header: string;
    /** The time as it was sent, from the value of the header; `undefined` if it has none. */
    read(value: string): string | undefined;
    /** Unix seconds of a time as it was sent: digits, or `undefined` if it is no time. */
    toSeconds(sent: string): string | undefined;
  };
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
