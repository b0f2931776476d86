import { WebhookError } from '../signing/errors.ts';

export { WebhookConfigurationError } from '../signing/errors.ts';

/** Every code, with what to look at where the code alone does not say it. */
const hints = {
  missing_header: '',
  duplicate_header: '',
  malformed_header: '',
  invalid_id: '',
  timestamp_too_old: 'A replay, or this clock is ahead.',
  timestamp_in_future: 'This clock is behind.',
  no_supported_signature: 'Is this the right scheme?',
  signature_mismatch: 'Another secret, or not the raw body: diagnose: true tells which.',
  token_mismatch: '',
  unsupported_encoding: 'Switch compression off.',
  body_already_parsed: 'Pass the raw body, read before any JSON parser.',
  body_too_large: 'See maxBodyBytes.',
  body_not_json: 'It must be a JSON object in UTF-8.',
  payload_invalid: '',
};

/** The stable code of a {@link WebhookVerificationError}. */
export type WebhookErrorCode = keyof typeof hints;

/** A delivery is refused: branch on `code`; `hint` says what to look at and is safe to log. */
export class WebhookVerificationError extends WebhookError {
  override name = 'WebhookVerificationError';
  readonly code: WebhookErrorCode;
  readonly hint: string;

  constructor(code: WebhookErrorCode, detail?: string, cause?: unknown) {
    const hint = [detail, hints[code]].filter(Boolean).join('. ') || code.replaceAll('_', ' ');
    super(`Failed to verify the webhook: ${code} (${hint})`, cause);
    this.code = code;
    this.hint = hint;
  }
}

/** @internal Refuses a delivery; `detail` names a header or place, never a value from outside. */
export function refuse(code: WebhookErrorCode, detail?: string, cause?: unknown): never {
  throw new WebhookVerificationError(code, detail, cause);
}

/** Whether `error` is a {@link WebhookVerificationError}, also one of another copy of the package. */
export function isWebhookVerificationError(error: unknown): error is WebhookVerificationError {
  return error instanceof Error && error.name === 'WebhookVerificationError' && 'code' in error;
}
