import { WebhookError } from '../signing/errors.ts';

/** What to look at for each code. Safe to log. */
const hints = {
  missing_header: 'A header that authenticates deliveries is missing.',
  duplicate_header: 'A header was sent twice, or the two signature headers differ.',
  malformed_header: 'The timestamp is not Unix seconds, or the signature header is too long.',
  invalid_id: 'The id must be 1 to 255 letters, digits, - or _.',
  timestamp_too_old: "It is a replay, or this machine's clock is ahead.",
  timestamp_in_future: "This machine's clock is behind.",
  no_supported_signature: 'No signature has the format of the scheme.',
  signature_mismatch: 'Another secret signed it, or the body is not the raw bytes.',
  token_mismatch: 'The token is missing or another one.',
  unsupported_encoding: 'The body is compressed. Turn compression off.',
  body_already_parsed: 'Pass the raw body, read before any JSON parser.',
  body_too_large: 'The body is larger than maxBodyBytes.',
  body_not_json: 'The body is not a JSON object in UTF-8.',
  payload_invalid: 'The payload does not match the schema of its type.',
};

/** The stable code of a {@link WebhookVerificationError}. */
export type WebhookErrorCode = keyof typeof hints;

export const hintOf = (code: WebhookErrorCode): string => hints[code];

export const rawBodyAdvice =
  'Failed to verify a webhook: its body was already parsed. Mount the handler before express.json() or any other ' +
  "body parser, or keep the bytes: express.json({ limit: '1mb', verify: (req, _res, buf) => { req.rawBody = buf; } }). " +
  'Others: docs/receiving-webhooks.md. The delivery will be retried.';

const statuses: Partial<Record<string, number>> = {
  body_already_parsed: 500,
  body_too_large: 413,
  unsupported_encoding: 415,
  // It is genuine: once the receiver knows its schema, an attempt succeeds.
  payload_invalid: 500,
};

/** A delivery was rejected: branch on `code`. `hint` says what to look at and is safe to log. */
export class WebhookVerificationError extends WebhookError {
  /** Always `WebhookVerificationError`. */
  override name = 'WebhookVerificationError';
  /** Why the delivery was rejected. */
  declare readonly code: WebhookErrorCode;
  /** What to do about it. */
  declare readonly hint: string;

  constructor(code: WebhookErrorCode, hint: string, options?: ErrorOptions) {
    super(`Failed to verify the webhook: ${code}. ${hint}`, options);
    this.code = code;
    this.hint = hint;
  }
}

/** Whether `error` is a {@link WebhookVerificationError}, even from another copy of the package. */
export function isWebhookVerificationError(error: unknown): error is WebhookVerificationError {
  return error instanceof Error && error.name === 'WebhookVerificationError' && 'code' in error;
}

/** @param detail - Names a header or a place in the payload, never a value from outside. */
export function reject(code: WebhookErrorCode, detail?: string, options?: ErrorOptions): never {
  const hint = detail ? `${hints[code]} (${detail})` : hints[code];
  throw new WebhookVerificationError(code, hint, options);
}

export function rejectionStatus(code: string): number {
  return statuses[code] ?? 400;
}
