import type { AttemptRecord } from '../errors.ts';
import type { ResolvedOptions, RetryEvent } from '../options.ts';
import { type Outcome, runAttempt } from './attempt.ts';
import type { Call } from './call.ts';
import { createScope, type Scope } from './deadline.ts';
import { type Failure, toError } from './failure.ts';
import { backoffMs, isRetryable } from './retry.ts';
import { tell } from './tell.ts';

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
  const { options, own, operation, idempotencyKey } = call;
  const scope = createScope(own.deadline ?? options.deadline, 'deadline_exceeded', call.signal);
  const attempts: AttemptRecord[] = [];
  let open = false;
  try {
    for (;;) {
      if (scope.failure) throw toError(scope.failure, call, attempts);
      const attempt = attempts.length + 1;
      const context = { operation, attempt, idempotencyKey };
      const outcome = await runAttempt(call, scope, context);
      const { failure, response, raw = '', stream } = outcome;
      let retry: RetryEvent | undefined;
      if (failure) {
        const { code, status, requestId } = failure;
        const delayMs = failure.retryAfterMs || backoffMs(attempt, Math.random());
        const again =
          attempt <= (own.maxRetries ?? options.maxRetries) &&
          isRetryable(code, status) &&
          delayMs < scope.remaining();
        const failed = { code, status, requestId, delayMs: again ? delayMs : 0 };
        attempts.push(failed);
        if (again) retry = { ...context, ...failed };
      }
      // At `debug` too.
      if (options.written.includes('info')) await tell('attempted', call, attempt, outcome, retry);
      else if (response?.headers.get('deprecation') ?? response?.headers.get('sunset')) {
        void tell('attempted', call, attempt, outcome);
      }
      if (retry) {
        void announce(options, retry);
        await scope.sleep(retry.delayMs);
        continue;
      }
      // An error status is an answer for `client.http`.
      if (!response || (failure && !call.plain)) {
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

/** Its own failure is none of the call. */
async function announce(options: ResolvedOptions, event: RetryEvent): Promise<void> {
  try {
    await options.onRetry?.(event);
  } catch (error) {
    void tell('hookThrew', options, error);
  }
}
