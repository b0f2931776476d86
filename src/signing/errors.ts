/** What both webhook errors share: a stable `code`, and a form that survives `JSON.stringify`. */
export abstract class WebhookError extends Error {
  abstract readonly code: string;

  constructor(message: string, cause?: unknown) {
    super(message, cause ? { cause } : undefined);
  }

  /** The error as plain data, message included. */
  toJSON(): object {
    return { ...this, name: this.name, message: this.message };
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
  throw new WebhookConfigurationError(`Failed to set up webhooks: ${problem}.`, cause);
}
