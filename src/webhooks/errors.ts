import { WebhookError } from '../signing/errors.ts';
import type { hints } from './hints.ts';

/** The stable code of a {@link WebhookVerificationError}. */
export type WebhookErrorCode = keyof typeof hints;

/**
 * A delivery is refused: branch on `code`; `hint` says what to look at and is safe to log. Its stack has frames
 * only where `diagnose` is on, and for `body_already_parsed`: a flood of forged deliveries must stay cheap.
 */
export class WebhookVerificationError extends WebhookError {
  override name = 'WebhookVerificationError';
  declare readonly code: WebhookErrorCode;
  declare readonly hint: string;

  constructor(code: WebhookErrorCode, hint: string, options?: ErrorOptions) {
    super(`Failed to verify the webhook: ${code}. ${hint}`, options);
    this.code = code;
    this.hint = hint;
  }
}

/** Whether `error` is a {@link WebhookVerificationError}, also one of another copy of the package. */
export function isWebhookVerificationError(error: unknown): error is WebhookVerificationError {
  return error instanceof Error && error.name === 'WebhookVerificationError' && 'code' in error;
}
