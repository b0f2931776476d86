import type { ApiPromise, Caller } from '../core/caller.ts';
import { Deadline, sleep } from '../core/deadline.ts';
import { ofGeneration, toError, toGenerationError } from '../core/failure.ts';
import { runHook, writeLog } from '../core/log.ts';
import { unexpectedResponse } from '../core/promised.ts';
import { race } from '../core/read-response.ts';
import { isRetryable } from '../core/retry.ts';
import type { CallResult } from '../core/send.ts';
import {
  type ContentGenError,
  type ErrorCode,
  GenerationFailedError,
  isContentGenError,
} from '../errors.ts';
import type { CallOptions } from '../options.ts';
import { elapsed, now, random } from '../platform/driver.ts';
import { retryAfterOf } from '../retry-after.ts';
import type { CompletedGeneration, Generation, GenerationResult } from '../types.ts';
import { createStream, type GenerationStream } from './generation-stream.ts';
import { knownGeneration } from './resume-stream.ts';
import {
  checkWaitOptions,
  pollDelay,
  type ResultSource,
  type WaitOptions,
} from './wait-options.ts';

/** How long before its deadline a wait polls once more. */
const LAST_POLL_MS = 1000;
/** How long polls can fail in a wait without a deadline: the longest that a generation takes. */
const MAX_OUTAGE_MS = 600_000;

/** An asynchronous generation. Its JSON can be passed to `client.content.resume()`, in another process too. */
export interface GenerationJob {
  /** The status when the job was created; `client.content.get()` returns the current one. */
  readonly status: 'processing';
  /** The id that the callback carries too. */
  readonly requestId: string;

  /**
   * Waits for the generation to end: polls at once, then at intervals that grow from 0.5 s to 10 s (`pollInterval`).
   * A poll that fails for a reason that can pass, such as 503 or a lost connection, is missed and does not end the wait.
   * Without a deadline, ten minutes of them do. With `results`, only 401 and 403 end it; where there is nothing to poll
   * (404, 405, 501), the callback decides.
   * @throws GenerationFailedError `generation_failed` or `generation_canceled`
   * @throws TimeoutError `deadline_exceeded`; the generation continues
   * @example const { result } = await job.wait({ deadline: 60_000 });
   */
  wait(options?: WaitOptions): Promise<GenerationResult>;

  /**
   * Streams the text as it comes; a service generates it whether or not anybody reads.
   * @example for await (const text of job.stream()) process.stdout.write(text);
   */
  stream(options?: CallOptions): GenerationStream;

  /** Cancels the generation; 409 `invalid_state` if it has already ended. */
  cancel(options?: CallOptions): ApiPromise<Generation>;
}

// Closures, not private members: a job in reactive state is used through a proxy, which those reject. Not enumerable,
// so that a copy of it, such as that of `structuredClone`, is its JSON.

export function createJob(caller: Caller, requestId: string): GenerationJob {
  const methods: Pick<GenerationJob, 'wait' | 'stream' | 'cancel'> = {
    wait: async (options) => waitForGeneration(caller, requestId, options),
    stream: (options) => createStream(knownGeneration(caller, { requestId }, options)),
    cancel: (options) => caller.call('cancelGeneration', options, { path: { requestId } }),
  };
  const job = { status: 'processing', requestId };
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(job, name, { value, configurable: true, writable: true });
  }
  return job as GenerationJob;
}

const getOperation = { operation: 'getGeneration' } as const;
const needsResults =
  'This deployment has no operation to poll. Pass `results`: the handler that receives the callback.';

async function waitForGeneration(
  caller: Caller,
  requestId: string,
  options?: WaitOptions,
): Promise<GenerationResult> {
  const given = checkWaitOptions(options ?? {});
  const { results, signal, deadline: ms = caller.options.deadline } = given;
  const deadline = new Deadline(ms, 'deadline_exceeded', signal);
  const cannotPoll = caller.options.deployment?.has('getGeneration') === false;
  const polls = !cannotPoll && given.pollInterval !== false;
  try {
    if (!results) {
      if (cannotPoll) throw toError({ code: 'operation_absent', hint: needsResults }, getOperation);
      return await poll(caller, requestId, given, deadline);
    }
    const received = receive(caller, requestId, results, deadline.signal);
    if (!polls) {
      const result = await race(received, deadline);
      if (result) return result;
    }
    const polled = poll(caller, requestId, given, deadline, received);
    return (await Promise.race([polled, received])) ?? (await polled);
  } catch (error) {
    const hint = polls
      ? `Generation ${requestId} is still processing. Call wait() again, or cancel() to stop it.`
      : `No result of generation ${requestId} came. Call wait() right after start(): earlier ones are not kept.`;
    const ended = deadline.failure && toError({ ...deadline.failure, hint }, getOperation);
    throw ofGeneration(ended ?? error, requestId);
  } finally {
    // Aborts whichever of the two is still running.
    deadline.end({ code: 'aborted' });
  }
}

/** @param received - The result from the result source; polls are rare until that fails. */
async function poll(
  caller: Caller,
  requestId: string,
  { results: _, onProgress, pollInterval, ...options }: WaitOptions,
  deadline: Deadline,
  received?: Promise<GenerationResult | undefined>,
): Promise<GenerationResult> {
  const { signal } = deadline;
  const { maxRetryAfter } = caller.options;
  const start = elapsed();
  let lastAnswer = start;
  let hasWarned = false;
  let listens = received !== undefined;
  const stopListening = () => {
    listens = false;
  };
  received?.then(stopListening, stopListening);
  for (let polls = 1; ; polls += 1) {
    let generation: Generation | undefined;
    let error: ContentGenError | undefined;
    let retryAfterMs: number | undefined;
    try {
      // A poll that hangs leaves time for the last one.
      const pollOptions = { ...options, signal, deadline: untilLastPoll(deadline) };
      const polled = await caller.send('getGeneration', pollOptions, { path: { requestId } });
      const completed = completedOf(polled);
      if (completed) return completed;
      lastAnswer = elapsed();
      generation = polled.body as Generation;
      retryAfterMs = retryAfterOf(polled.response.headers, now());
      if (generation.status !== 'processing' && !hasWarned) {
        hasWarned = true;
        warn(caller, 'the generation has an unknown status; still waiting', { requestId });
      }
    } catch (thrown) {
      error = missedPoll(thrown, deadline, listens);
      const { status = 0, retryAt } = error as { status?: number; retryAt?: Date };
      if (received && listens && /^(404|405|501)$/.test(`${status}`)) {
        // There is nothing to poll, but the callback can still come.
        const result = await race(received, deadline);
        if (result) return result;
        throw error;
      }
      const isOver = deadline.remaining() === Infinity && elapsed() - lastAnswer > MAX_OUTAGE_MS;
      if (isOver && !listens) throw error;
      retryAfterMs = retryAt && Math.max(0, retryAt.getTime() - now());
      if (polls === 1)
        warn(caller, 'a poll failed; still waiting', { requestId, code: error.code });
    }
    const nextPollMs = Math.min(
      Math.min(retryAfterMs ?? 0, maxRetryAfter) ||
        pollDelay(polls, random(), pollInterval || undefined, listens),
      untilLastPoll(deadline),
    );
    const elapsedMs = elapsed() - start;
    runHook(caller.options, 'onProgress', () =>
      onProgress?.({ generation, error, polls, elapsedMs, nextPollMs }),
    );
    const slept = sleep(nextPollMs, deadline);
    const result = await Promise.race([slept, listens ? received : slept]);
    if (result) return result;
  }
}

/** The error of a poll that was missed. Throws one that ends the wait: while it listens, only a refusal does. */
function missedPoll(thrown: unknown, deadline: Deadline, listens: boolean): ContentGenError {
  if (deadline.failure || !isContentGenError(thrown) || thrown instanceof GenerationFailedError) {
    throw thrown;
  }
  const { code, status, reason } = thrown as { code: ErrorCode; status?: number; reason?: string };
  // The deadline of the poll, not of the wait.
  const canPass = code === 'deadline_exceeded' || (reason !== 'tls' && isRetryable(code, status));
  const isRefused = status === 401 || status === 403;
  if (listens ? isRefused : !canPass) throw thrown;
  return thrown;
}

/** Milliseconds until the last poll, a second before the deadline; `Infinity` without one, or when it is over. */
function untilLastPoll(deadline: Deadline): number {
  const ms = Math.trunc(deadline.remaining() - LAST_POLL_MS);
  return ms > 0 ? ms : Infinity;
}

function completedOf(result: CallResult): CompletedGeneration | undefined {
  const generation = result.body as Generation;
  const { status } = generation;
  if (status === 'failed' || status === 'canceled') {
    throw toGenerationError(generation, result.call);
  }
  if (status !== 'completed') return undefined;
  if (typeof generation.result === 'string') return generation as CompletedGeneration;
  throw unexpectedResponse(result, 'is a completed generation without a result');
}

/** Receives the callback; `undefined` if the source fails or delivers another event, so that polling decides. */
async function receive(
  caller: Caller,
  requestId: string,
  results: ResultSource,
  signal: AbortSignal,
): Promise<GenerationResult | undefined> {
  try {
    const { type, payload } = await results.waitFor(requestId, { signal });
    const known = payload as Partial<GenerationResult> | undefined;
    if (type === 'generation_failed') {
      throw toGenerationError({ ...known, requestId, status: 'failed' }, {});
    }
    if (type === 'generation_completed' && typeof known?.result === 'string') {
      return { ...(known as GenerationResult), requestId, status: 'completed' };
    }
  } catch (error) {
    if (error instanceof GenerationFailedError) throw error;
    if (!signal.aborted) {
      const facts = { requestId, error: (error as Error | undefined)?.name };
      warn(caller, 'results.waitFor failed; still polling', facts);
    }
  }
  return undefined;
}

function warn({ options }: Caller, message: string, facts: object): void {
  void writeLog(options, 'warn', message, facts);
}
