import { cleanValue } from '../clean-text.ts';
import type { Logger, ResolvedOptions, RetryEvent } from '../options.ts';
import type { Call } from './call.ts';
import { type Failure, hideSecrets } from './failure.ts';
import { requestIdOf } from './read-response.ts';

type Target = Pick<ResolvedOptions, 'logger' | 'enabledLevels'>;

/**
 * Writes a line if its level is enabled. A logger that throws or rejects never fails a call. Callers pass only facts
 * that are safe to log: no header, key or prompt, and no body unless `logBodies` is set.
 */
export async function writeLog(
  { logger, enabledLevels }: Target,
  level: keyof Logger,
  message: string,
  facts: object,
): Promise<void> {
  if (!enabledLevels.includes(level)) return;
  try {
    // Looked up for each line, so that a `console` replaced later is used.
    await (logger ?? console)[level](`contentgen: ${message}`, facts);
  } catch {}
}

interface Attempted {
  readonly failure?: Failure | undefined;
  readonly response?: Response | undefined;
  readonly text?: string | undefined;
}

export function logAttempt(
  call: Call,
  attempt: number,
  outcome: Attempted,
  retry?: RetryEvent,
): void {
  const { options, operation } = call;
  const { enabledLevels } = options;
  if (enabledLevels.includes('debug')) logOutcome(call, attempt, outcome);
  if (outcome.response) warnOfDeprecation(call, outcome.response.headers);
  if (retry) {
    const message = `retrying ${operation ?? 'a call'} in ${retry.delayMs} ms`;
    void writeLog(options, 'info', message, retry);
  }
}

const LONG_WAIT_MS = 5000;

export function warnOfLongWait(
  { options, operation }: Call,
  { retryAfterMs = 0 }: Failure,
  { code, delayMs }: RetryEvent,
): void {
  if (delayMs <= LONG_WAIT_MS) return;
  const reason =
    retryAfterMs >= delayMs ? 'as the service asked' : `before it retries after ${code}`;
  const message = `${operation ?? 'a call'} waits ${Math.round(delayMs / 1000)} s ${reason}`;
  void writeLog(options, 'warn', message, { operation, delayMs: Math.round(delayMs) });
}

/** Runs a hook of the caller. If it throws or rejects, the call continues. */
export function runHook<T>(options: Target, name: string, hook: () => T): T | undefined {
  const report = (error: unknown) => {
    const facts = { error: (error as Error | undefined)?.name };
    void writeLog(options, 'warn', `${name} threw an error; the call continues`, facts);
    return undefined;
  };
  try {
    const value = hook();
    Promise.resolve(value).catch(report);
    return value;
  } catch (error) {
    return report(error);
  }
}

function logOutcome(call: Call, attempt: number, outcome: Attempted): void {
  const { options, operation = 'http', body } = call;
  const { failure, response } = outcome;
  void writeLog(options, 'debug', `${operation} attempt ${attempt}`, {
    operation,
    attempt,
    code: failure?.code,
    status: response?.status,
    requestId: failure ? failure.requestId : response && requestIdOf(response),
    ...(options.logBodies && { requestBody: body, responseBody: response && outcome.text }),
  });
}

/** Warns once per operation, for a client and its copies, when a response announces its end. */
function warnOfDeprecation(call: Call, headers: Headers): void {
  const { options, operation: id } = call;
  const operation = id ?? 'http';
  const deprecation = headers.get('deprecation');
  const sunset = headers.get('sunset');
  const { warnedOf } = options;
  if (!(deprecation ?? sunset) || warnedOf.has(operation)) return;
  warnedOf.add(operation);
  const dates = { deprecation: cleanValue(deprecation), sunset: cleanValue(sunset) };
  const facts = { operation, ...hideSecrets(dates, call) };
  void writeLog(options, 'warn', `${operation} is deprecated by the service`, facts);
}
