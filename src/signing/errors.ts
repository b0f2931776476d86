import { optionMistake } from '../options/check-options.ts';
import { numberFrom, type OptionRule } from '../options/rules.ts';
import { kindOf } from '../options/values.ts';

export { kindOf };

/** Base class of the webhook errors. `JSON.stringify` keeps their message. */
export class WebhookError extends Error {
  /** The error as plain data, message included. */
  toJSON(): object {
    return { ...this, message: this.message };
  }
}

/**
 * A receiver or signer is misconfigured: a bad secret, tolerance or other option. No delivery causes it.
 * The message names the option, never a secret.
 */
export class WebhookConfigurationError extends TypeError {
  /** Always `WebhookConfigurationError`. */
  override name = 'WebhookConfigurationError';
  /** Always `webhook_configuration`. */
  readonly code = 'webhook_configuration';

  /** The error as plain data, message included. */
  toJSON(): object {
    return { ...this, message: this.message };
  }
}

/**
 * @internal Throws a {@link WebhookConfigurationError}.
 *
 * @param problem - What is wrong, without a full stop: `tolerance is NaN`.
 * @param advice - What to do, as a sentence.
 */
export function misconfigured(problem: string, advice: string, cause?: unknown): never {
  throw new WebhookConfigurationError(`Failed to set up webhooks: ${problem}. ${advice}`, {
    cause,
  });
}

/** @internal Throws if the options are not an object, have an unknown name, or a value that its rule rejects. */
export function assertOptions(
  options: object,
  rules: Readonly<Record<string, OptionRule>>,
  aliases: Readonly<Record<string, string>> = {},
): void {
  const mistake = optionMistake(options, rules, { aliases });
  if (mistake) throw new WebhookConfigurationError(`Failed to set up webhooks: ${mistake}`);
}

/** @internal A rule: a finite number of at least `least`; `unit` is in the plural. */
/* @__NO_SIDE_EFFECTS__ */
export function finite(unit: string, least: number): OptionRule {
  return numberFrom(`a finite number of ${unit}, ${least} or more`, least, Number.MAX_VALUE);
}
