import type { misconfigured, WebhookError } from '../signing/errors.ts';
import type { WebhookVerificationError } from './errors.ts';
import { explain, isDiagnosing } from './explain.ts';
import { hints } from './hints.ts';
import type { Refusal } from './refusal.ts';
import type { Settings } from './settings.ts';

/**
 * What an async function returns to reject: cheaper than a throw, for which the engine looks up the place in the code,
 * and than a promise that is rejected before its caller listens.
 */
const rejection = (error: WebhookError) =>
  // biome-ignore lint/suspicious/noThenProperty: a promise is what it stands for
  ({ then: (_: unknown, reject: (error: WebhookError) => void) => reject(error) }) as never;

/**
 * Rejects with what was thrown or answered inside; the classes come from the caller, for this chunk shares no module
 * with it. The stack of a refusal is collected only where a developer looks: it costs more than the whole
 * verification, and a flood of forged deliveries must stay cheap.
 */
export function reject(
  outcome: unknown,
  settings: Settings | undefined,
  Verification: typeof WebhookVerificationError,
  misconfigure: typeof misconfigured,
): Promise<never> {
  const refusal = outcome as Refusal | undefined;
  if (!settings || !refusal?.isRefusal)
    return outcome instanceof Object.getPrototypeOf(Verification)
      ? rejection(outcome as WebhookError)
      : misconfigure('an input threw', outcome);
  const { code, detail, cause } = refusal;
  const hint = detail ? `${hints[code]} (${detail})` : hints[code];
  const make = () => new Verification(code, hint, cause === undefined ? cause : { cause });
  if (code !== 'body_already_parsed' && !isDiagnosing(settings))
    return rejection(withoutStack(make));
  const error = make();
  const explained = explain(settings, refusal);
  return explained ? explained.then(() => rejection(error)) : rejection(error);
}

function withoutStack<T>(make: () => T): T {
  const errors = Error as { stackTraceLimit?: unknown };
  const { stackTraceLimit } = errors;
  try {
    errors.stackTraceLimit = 0;
    const error = make();
    errors.stackTraceLimit = stackTraceLimit;
    return error;
  } catch {
    // Where `Error` is frozen it has its stack.
    return make();
  }
}
