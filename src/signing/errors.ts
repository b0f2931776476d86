import { unknownOption } from '../known-options.ts';
import { kindOf } from '../option-rules.ts';

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
export class WebhookConfigurationError extends WebhookError {
  /** Always `WebhookConfigurationError`. */
  override name = 'WebhookConfigurationError';
  /** Always `webhook_configuration`. */
  readonly code = 'webhook_configuration';
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

/** @internal Throws if `options` is not an object or has a name that is not in `known`. */
export function assertKnownOptions(
  options: object,
  known: Readonly<Record<string, unknown>>,
  aliases?: Readonly<Record<string, string>>,
): void {
  if (typeof options !== 'object' || options === null)
    misconfigured(`the options are ${kindOf(options)}`, 'Pass an object.');
  const unknown = unknownOption(options, known, aliases);
  if (unknown)
    throw new WebhookConfigurationError(`Failed to set up webhooks: unknown option ${unknown}`);
}

/** @internal Throws unless `value` is a finite number of at least `least`. */
export function assertNumber(name: string, value: unknown, least: number, unit: string): void {
  if (Number.isFinite(value) && (value as number) >= least) return;
  const found = typeof value === 'number' ? value : kindOf(value);
  misconfigured(`${name} is ${found}`, `Pass a finite number of ${unit}, ${least} or more.`);
}

/** @internal Throws unless `value` is a whole number from `least` to `most`. */
export function assertWhole(name: string, value: unknown, least: number, most = Infinity): void {
  const isRight =
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
  if (isRight) return;
  const found = typeof value === 'number' ? value : kindOf(value);
  const range = most === Infinity ? `, ${least} or more` : ` from ${least} to ${most}`;
  misconfigured(`${name} is ${found}`, `Pass a whole number${range}.`);
}

/** @internal Throws if one of these options is given but is not a function. */
export function assertFunctions(options: object, names: readonly string[]): void {
  for (const name of names) {
    const value = (options as Record<string, unknown>)[name];
    if (value !== undefined && typeof value !== 'function')
      misconfigured(`${name} is ${kindOf(value)}`, 'Pass a function.');
  }
}

/** @internal Whether `value` is undefined or can be listened to like an AbortSignal. */
export const isSignal = (value: unknown): boolean =>
  value === undefined || typeof Object(value).throwIfAborted === 'function';

/** @internal Throws if `signal` is given but is not an AbortSignal. */
export function assertSignal(signal: unknown): void {
  if (!isSignal(signal))
    misconfigured(`signal is ${kindOf(signal)}, not an AbortSignal`, 'Pass controller.signal.');
}
