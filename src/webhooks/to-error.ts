import type { misconfigured, WebhookError } from '../signing/errors.ts';
import type { WebhookVerificationError } from './errors.ts';
import { explain, isDiagnosing } from './explain.ts';
import { hints } from './hints.ts';
import type { Refusal } from './refusal.ts';
import type { Settings } from './settings.ts';

/**
 * What `verifyWebhook` throws for what was thrown or answered inside; the classes come from the caller, for this
 * chunk shares no module with it. The stack of a refusal is collected only where a developer looks: it costs more
 * than the whole verification, and a flood of forged deliveries must stay cheap.
 */
export function toError(
  thrown: unknown,
  settings: Settings | undefined,
  Verification: typeof WebhookVerificationError,
  misconfigure: typeof misconfigured,
): WebhookError | Promise<WebhookError> {
  if (thrown instanceof Object.getPrototypeOf(Verification)) return thrown as WebhookError;
  if (!settings || !(thrown as Refusal | undefined)?.isRefusal)
    return misconfigure('an input threw', thrown);
  const { code, detail, cause } = thrown as Refusal;
  const hint = detail ? `${hints[code]} (${detail})` : hints[code];
  const make = () => new Verification(code, hint, cause === undefined ? cause : { cause });
  if (code !== 'body_already_parsed' && !isDiagnosing(settings)) return withoutStack(make);
  const error = make();
  return explain(settings, thrown)?.then(() => error) ?? error;
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
