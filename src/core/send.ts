import { type AttemptRecord, defined } from '../errors.ts';
import type { CallContext, CallEnd, ResolvedOptions, RetryEvent } from '../options.ts';
import { type ReceivedResponse, runAttempt } from './attempt.ts';
import { Deadline, sleep } from './deadline.ts';
import { type Failure, toError } from './failure.ts';
import { logAttempt, logHookFailure } from './log.ts';
import type { Call } from './request.ts';
import { backoffMs, isRetryable } from './retry.ts';

/** What a logical call resolves with. */
export interface CallResult extends ReceivedResponse {
  readonly call: Call;
  /** The failed attempts before this response. */
  readonly attempts: readonly AttemptRecord[];
  /** Still running while the result is a stream; its reader closes it. */
  readonly deadline: Deadline;
  /** Reports the end of a stream to the middleware. */
  readonly end?: ((outcome: Pick<CallEnd, 'body' | 'error'>) => void) | undefined;
}

/** Sends a logical call: attempts and the waits between them, under one idempotency key and one deadline. */
export async function send(call: Call): Promise<CallResult> {
  const { options, operation, idempotencyKey } = call;
  const deadline = new Deadline(call.deadline, 'deadline_exceeded', call.signal);
  const attempts: AttemptRecord[] = [];
  let isStreaming = false;
  try {
    for (;;) {
      if (deadline.failure) throw toError(deadline.failure, call, attempts);
      const context = { operation, attempt: attempts.length + 1, idempotencyKey };
      const outcome = await runAttempt(call, deadline, context);
      const { failure } = outcome;
      const retry = failure && planRetry(call, failure, context, deadline);
      if (failure) attempts.push(recordOf(failure, retry));
      logAttempt(call, context.attempt, outcome, retry);
      if (retry) {
        void notify(options, retry);
        await sleep(retry.delayMs, deadline.signal);
        continue;
      }
      if (!outcome.response) throw toError(outcome.failure, call, attempts);
      if (failure && !call.returnErrorResponses) throw toError(failure, call, attempts);
      isStreaming = outcome.stream !== undefined;
      return { ...outcome, call, attempts, deadline };
    }
  } finally {
    if (!isStreaming) deadline.close();
  }
}

/** The retry to make after this failure, if one can help and fits into the deadline. */
function planRetry(
  call: Call,
  failure: Failure,
  context: CallContext,
  deadline: Deadline,
): RetryEvent | undefined {
  if (context.attempt > call.maxRetries) return undefined;
  if (!isRetryable(failure.code, failure.status)) return undefined;
  // `Retry-After: 0` asks for no particular wait.
  const delayMs = failure.retryAfterMs || backoffMs(context.attempt, Math.random());
  if (delayMs >= deadline.remaining()) return undefined;
  const { code, status, requestId } = failure;
  return { ...context, code, status, requestId, delayMs };
}

function recordOf({ code, status, requestId }: Failure, retry?: RetryEvent): AttemptRecord {
  return defined({ code, status, requestId, delayMs: retry?.delayMs ?? 0 });
}

/** Calls `onRetry`. An error in it never fails the call. */
async function notify(options: ResolvedOptions, event: RetryEvent): Promise<void> {
  try {
    await options.onRetry?.(event);
  } catch (error) {
    logHookFailure(options, error);
  }
}
