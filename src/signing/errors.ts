/** What both webhook errors share: a form that survives `JSON.stringify`. */
export class WebhookError extends Error {
  /** The error as plain data, message included. */
  toJSON(): object {
    return { ...this, message: this.message };
  }
}

/**
 * A receiver or signer is set up wrongly: a bad secret, tolerance or option. No delivery causes it.
 * The message names the option and never holds its value.
 */
export class WebhookConfigurationError extends WebhookError {
  override name = 'WebhookConfigurationError';
  readonly code = 'webhook_configuration';
}

/** @internal Throws a {@link WebhookConfigurationError}. */
export function misconfigured(problem: string, cause?: unknown): never {
  throw new WebhookConfigurationError(`Failed to set up webhooks: ${problem}.`, { cause });
}

/** @internal Refuses an option that is no finite number of at least `least`. */
export function checkNumber(name: string, value: number, least: number): void {
  if (!Number.isFinite(value) || value < least) misconfigured(`${name} must be ${least} or more`);
}
