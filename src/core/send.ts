import type { AttemptRecord } from '../errors.ts';
import type { ResolvedOptions, RetryEvent } from '../options.ts';
import type { OperationId } from '../types.ts';
import { type Outcome, runAttempt } from './attempt.ts';
import type { Call } from './call.ts';
import { type Failure, toError } from './failure.ts';
import { requestIdOf } from './parse.ts';
import { backoffMs, isRetryable } from './retry.ts';
import { Scope } from './scope.ts';

/** The outcome of a logical call; as much of a response as openapi-fetch needs, with a body that is parsed already. */
export interface Answer
  extends Omit<Outcome, 'failure'>,
    Pick<Response, 'ok' | 'status' | 'headers' | 'text'> {
  readonly response: Response;
  readonly call: Call;
  /** The failed attempts before this one. */
  readonly attempts: readonly AttemptRecord[];
  /** Open as long as the answer is a stream; whoever reads it closes it. */
  readonly scope: Scope;
}

/** The logical call: attempts, decisions and waits, under one idempotency key and one deadline. */
export async function send(call: Call): Promise<Answer> {
  const { options, own, operation, idempotencyKey, expects } = call;
  const scope = new Scope(own.deadline ?? options.deadline, 'deadline_exceeded', call.signal);
  const attempts: AttemptRecord[] = [];
  let open = false;
  try {
    for (;;) {
      if (scope.failure) throw toError(scope.failure, call, attempts);
      const attempt = attempts.length + 1;
      const context = { operation, attempt, idempotencyKey };
      const outcome = await runAttempt(call, scope, context);
      observe(call, attempt, outcome);
      const { failure, response, raw = '', stream } = outcome;
      if (failure) {
        const { code, status, requestId } = failure;
        const delayMs =
          attempt > (own.maxRetries ?? options.maxRetries) || !isRetryable(code, status)
            ? Number.POSITIVE_INFINITY
            : failure.retryAfterMs || backoffMs(attempt, Math.random());
        const again = delayMs < scope.remaining();
        const failed = { code, status, requestId, delayMs: again ? delayMs : 0 };
        attempts.push(failed);
        if (again) {
          void announce(options, { ...context, ...failed });
          await scope.sleep(delayMs);
          continue;
        }
      }
      // An error status is an answer for `client.http`.
      if (!response || (failure && expects !== 'any' && expects !== 'raw')) {
        throw toError(failure as Failure, call, attempts);
      }
      open = stream !== undefined;
      const { ok, status, headers } = response;
      const text = async () => raw;
      return { ...outcome, ok, status, headers, text, response, call, attempts, scope };
    }
  } finally {
    if (!open) scope.close();
  }
}

async function announce({ log, onRetry }: ResolvedOptions, event: RetryEvent): Promise<void> {
  log.info(`retrying ${event.operation ?? 'a call'} in ${event.delayMs} ms`, event);
  try {
    await onRetry?.(event);
  } catch (error) {
    log.warn('onRetry threw; the call goes on', { error: (error as Error)?.name });
  }
}

function observe(
  { options, operation = 'http' as OperationId, body }: Call,
  attempt: number,
  { failure, response, raw }: Outcome,
): void {
  const { log, debugging, logBodies, warned } = options;
  if (debugging) {
    log.debug(`${operation} attempt ${attempt}`, {
      operation,
      attempt,
      code: failure?.code,
      status: response?.status,
      requestId: response && requestIdOf(response),
      ...(logBodies && { requestBody: body, responseBody: raw }),
    });
  }
  const deprecation = response?.headers.get('deprecation');
  const sunset = response?.headers.get('sunset');
  if (!(deprecation ?? sunset) || warned.has(operation)) return;
  warned.add(operation);
  log.warn(`${operation} is deprecated by the service`, { operation, deprecation, sunset });
}
