const brand = Symbol.for('contentgen.WebhookConfigurationError');

/**
 * The receiver or signer is set up wrongly: a bad secret, tolerance or option. No delivery causes it.
 * The message names the option and never holds its value.
 */
export class WebhookConfigurationError extends Error {
  static readonly code = 'webhook_configuration';
  readonly code = WebhookConfigurationError.code;
  override readonly name = 'WebhookConfigurationError';
  readonly [brand] = true;

  /** The error as plain data, message included. */
  toJSON(): { name: string; code: string; message: string } {
    return { name: this.name, code: this.code, message: this.message };
  }
}

/** Whether `error` is a {@link WebhookConfigurationError}, also one of another copy of the package. */
export function isWebhookConfigurationError(error: unknown): error is WebhookConfigurationError {
  return typeof error === 'object' && error !== null && brand in error;
}
