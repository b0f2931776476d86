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
  try {
    const refusal = outcome as Refusal | undefined;
    if (settings && refusal?.isRefusal) return rejectRefusal(refusal, settings, Verification);
    if (outcome instanceof Object.getPrototypeOf(Verification))
      return rejection(outcome as WebhookError);
  } catch {
    // What an option threw can throw itself.
  }
  return misconfigure('an input threw', outcome);
}

function rejectRefusal(
  refusal: Refusal,
  settings: Settings,
  Verification: typeof WebhookVerificationError,
): Promise<never> {
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
  let limit: unknown;
  try {
    limit = errors.stackTraceLimit;
    errors.stackTraceLimit = 0;
  } catch {
    // Where `Error` is frozen it has its stack.
    return make();
  }
  try {
    return make();
  } finally {
    errors.stackTraceLimit = limit;
  }
}
