import type { AttemptRecord } from '../errors.ts';
import type { ResolvedOptions, RetryEvent } from '../options.ts';
import { type Call, type Outcome, runAttempt } from './attempt.ts';
import { type Failure, toError } from './failure.ts';
import { backoffMs, isRetryable } from './retry.ts';
import { CallScope } from './scope.ts';

/** What all calls of a client share. */
export interface Transport {
  readonly options: ResolvedOptions;
  /** Operations whose deprecation was written of already. */
  readonly warned: Set<string>;
}

/** The outcome of a logical call. */
export interface Answer extends Omit<Outcome, 'failure'> {
  readonly response: Response;
  readonly call: Call;
  /** The failed attempts before this one. */
  readonly attempts: readonly AttemptRecord[];
  /** Open as long as the answer is a stream; whoever reads it closes it. */
  readonly scope: CallScope;
}

/** The logical call: attempts, decisions and waits, under one idempotency key and one deadline. */
export async function send(transport: Transport, call: Call): Promise<Answer> {
  const { options } = transport;
  const scope = new CallScope(call.signal, call.limits.deadline);
  const attempts: AttemptRecord[] = [];
  const stop = (failure: Failure) =>
    toError(failure, { operation: call.operation, idempotencyKey: call.idempotencyKey, attempts });
  let open = false;
  try {
    for (;;) {
      if (scope.ended) throw stop(scope.ended);
      const attempt = attempts.length + 1;
      const context = { operation: call.operation, attempt, idempotencyKey: call.idempotencyKey };
      const outcome = await runAttempt(options, call, scope, context);
      observe(transport, call, attempt, outcome);
      const { failure, response } = outcome;
      const answer = response && { ...outcome, response, call, attempts, scope };
      if (!failure && answer) {
        open = answer.stream !== undefined;
        return answer;
      }
      const lost: Failure = failure ?? { code: 'invalid_response' };
      const delayMs = nextDelay(lost, attempt, call.limits.maxRetries, scope.remaining());
      const { code, status, requestId } = lost;
      const failed = { code, status, requestId, delayMs: delayMs ?? 0 };
      attempts.push(failed);
      if (delayMs === undefined) {
        // An error status is an answer for `client.http`.
        if (call.expects === 'anything' && answer) return answer;
        throw stop(lost);
      }
      void announce(options, { ...context, ...failed });
      await scope.sleep(delayMs);
    }
  } finally {
    if (!open) scope.close();
  }
}

/** How long to wait before the next attempt; `undefined` when none may help or none fits before the deadline. */
function nextDelay(
  failure: Failure,
  attempt: number,
  maxRetries: number,
  remaining: number,
): number | undefined {
  if (attempt > maxRetries || !isRetryable(failure.code, failure.status)) return undefined;
  const delay = failure.retryAfterMs || backoffMs(attempt, Math.random());
  return delay < remaining ? delay : undefined;
}

async function announce({ log, onRetry }: ResolvedOptions, event: RetryEvent): Promise<void> {
  log.info(`retrying ${event.operation ?? 'a call'} in ${event.delayMs} ms`, event);
  try {
    await onRetry?.(event);
  } catch (error) {
    log.warn('onRetry threw; the call goes on', { error: (error as Error)?.name });
  }
}

function observe(transport: Transport, call: Call, attempt: number, outcome: Outcome): void {
  const { log, debugging, logBodies } = transport.options;
  const operation = call.operation ?? 'http';
  const { response, text } = outcome;
  if (debugging) {
    log.debug(`${operation} attempt ${attempt}`, {
      operation,
      attempt,
      code: outcome.failure?.code,
      status: response?.status,
      requestId: response?.headers.get('x-request-id'),
      ...(logBodies && { requestBody: call.body, responseBody: text }),
    });
  }
  if (!response || transport.warned.has(operation)) return;
  const deprecation = response.headers.get('deprecation');
  const sunset = response.headers.get('sunset');
  if (deprecation === null && sunset === null) return;
  transport.warned.add(operation);
  log.warn(`${operation} is deprecated by the service`, { operation, deprecation, sunset });
}
