import { type AttemptRecord, isContentGenError } from '../errors.ts';
import { defined } from '../options/values.ts';
import type { CallEnd, RetryEvent } from '../options.ts';
import { type AttemptOutcome, type ReceivedResponse, runAttempt } from './attempt.ts';
import type { Call } from './call.ts';
import { Deadline, sleep } from './deadline.ts';
import { type Failure, stillRunning, toError, withoutSecrets } from './failure.ts';
import { logAttempt, runHook, warnOfLongWait } from './log.ts';
import { lookUpCredential } from './look-up-credential.ts';
import { type Progress, planRetry } from './retry.ts';

export function sendObserved(call: Call): Promise<CallResult> {
  const listeners = startListeners(call);
  return listeners.length === 0 ? send(call) : sendReporting(call, listeners);
}

async function sendReporting(
  call: Call,
  listeners: ((end: CallEnd) => void)[],
): Promise<CallResult> {
  const report = (end: CallEnd) => {
    // Emptied, because either side of a stream can report its end; only the first report counts.
    for (const listener of listeners.splice(0))
      runHook(call.options, 'onCall', () => listener(end));
  };
  try {
    const result = await send(call);
    const { response, body, attempts } = result;
    const end: CallResult['end'] = (outcome) => {
      // A stream that breaks is one more failed attempt.
      const failed = attemptsOf(outcome.error);
      const known = failed.length > attempts.length ? failed : attempts;
      report({ response, ...outcome, attempts: known });
    };
    if (!result.stream) end({ body });
    return { ...result, end };
  } catch (error) {
    report({ error, attempts: attemptsOf(error) });
    throw error;
  }
}

const attemptsOf = (error: unknown) => (isContentGenError(error) ? error.attempts : []);

function startListeners(call: Call): ((end: CallEnd) => void)[] {
  return call.options.middleware.flatMap(({ onCall }) => {
    const listener = onCall && runHook(call.options, 'onCall', () => onCall(call.start));
    return typeof listener === 'function' ? [listener] : [];
  });
}

export interface CallResult extends ReceivedResponse {
  readonly call: Call;
  readonly attempts: readonly AttemptRecord[];
  readonly end?: ((outcome: Pick<CallEnd, 'body' | 'error'>) => void) | undefined;
}

async function send(call: Call): Promise<CallResult> {
  const { options, operation, idempotencyKey } = call;
  const { value } = options.credential;
  const deadline = new Deadline(call.deadline, 'deadline_exceeded', call.signal);
  const attempts: AttemptRecord[] = [];
  const progress: Progress = { retries: 0, stillRunning: 0, mayBeRunning: false };
  let isStreaming = false;
  let sent: string | undefined;
  try {
    for (;;) {
      if (deadline.failure) throw toError(deadline.failure, call, attempts);
      // Hermes lacks `at`.
      const isExpired = attempts[attempts.length - 1]?.code === 'expired_token';
      const credential: string | Failure =
        typeof value === 'string'
          ? value
          : await lookUpCredential(value, call, deadline, isExpired ? sent : undefined);
      const context = { operation, attempt: attempts.length + 1, idempotencyKey };
      const outcome: AttemptOutcome =
        typeof credential === 'string'
          ? await runAttempt(call, credential, deadline, context)
          : { failure: credential };
      if (typeof credential === 'string' && credential !== sent) {
        sent = credential;
        call.credentials.push(credential);
      }
      const failure = outcome.failure && withoutSecrets(outcome.failure, call);
      const retry = failure && planRetry(call, failure, context, deadline, progress);
      if (failure) attempts.push(recordOf(failure, retry));
      logAttempt(call, context.attempt, failure ? { ...outcome, failure } : outcome, retry);
      if (retry) {
        warnOfLongWait(call, failure, retry);
        runHook(options, 'onRetry', () => options.onRetry?.(retry));
        await sleep(retry.delayMs, deadline);
        continue;
      }
      if (failure && !(outcome.response && call.returnErrorResponses)) {
        if (progress.isLate)
          throw toError({ code: 'deadline_exceeded', hint: stillRunning }, call, attempts);
        const hint = [failure.hint, progress.hint].filter(Boolean).join(' ') || undefined;
        throw toError({ ...failure, hint }, call, attempts);
      }
      const received = outcome as ReceivedResponse;
      isStreaming = received.stream !== undefined;
      return { ...received, call, attempts };
    }
  } finally {
    if (!isStreaming) deadline.close();
  }
}

function recordOf({ code, status, requestId }: Failure, retry?: RetryEvent): AttemptRecord {
  return defined({ code, status, requestId, delayMs: retry?.delayMs ?? 0 });
}
