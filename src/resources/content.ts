import { type ApiPromise, type Caller, CallPromise, unexpectedResponse } from '../core/caller.ts';
import { Deadline, sleep } from '../core/deadline.ts';
import { toError, toGenerationError } from '../core/failure.ts';
import { fillPath } from '../core/http.ts';
import { runHook, writeLog } from '../core/log.ts';
import { createList, type ListPromise } from '../core/pagination.ts';
import { retryAfterOf } from '../core/retry-after.ts';
import type { CallResult } from '../core/send.ts';
import { GenerationFailedError } from '../errors.ts';
import { isObject } from '../option-rules.ts';
import type { CallOptions } from '../options.ts';
import { elapsed, random } from '../platform/driver.ts';
import type {
  CompletedGeneration,
  GenerateParams,
  GenerateRequest,
  Generation,
  GenerationResult,
  QueryOf,
  StartParams,
} from '../types.ts';
import { createStream, type GenerationStream } from './generation-stream.ts';
import {
  checkWaitOptions,
  pollDelay,
  type ResultSource,
  type WaitOptions,
} from './wait-options.ts';

/** What `generate` resolves to: a job if there is a `webhookUrl`. */
export type Generated<Url extends string | undefined> = Url extends string
  ? GenerationJob
  : CompletedGeneration;

/** Generates content: in one call, in the background, or as a stream. */
export interface Content {
  /**
   * Generates content and resolves with the completed generation. With a `webhookUrl`, it does what `start()` does.
   * @throws QuotaExceededError `quota_exceeded`
   * @throws ServerError `generation_failed` when the model fails
   * @example const { result } = await client.content.generate({ prompt: 'A haiku about TCP' });
   */
  generate<Url extends string | undefined = undefined>(
    request: StartParams<Url> | GenerateRequest,
    options?: CallOptions,
  ): ApiPromise<Generated<Url>>;

  /**
   * Starts a generation in the background and resolves with its job as soon as it is accepted. The result is posted to
   * `webhookUrl`; the job can also wait for it.
   * @throws QuotaExceededError `quota_exceeded`
   * @example const job = await client.content.start({ prompt, webhookUrl: 'https://app.example/callbacks' });
   */
  start(request: StartParams, options?: CallOptions): ApiPromise<GenerationJob>;

  /**
   * Streams the text as it is generated. Nothing is sent until it is iterated or its `final()` is called.
   * @example for await (const text of client.content.stream({ prompt })) console.log(text);
   */
  stream(request: GenerateParams, options?: CallOptions): GenerationStream;

  /**
   * Lists the project's generations, newest first; `status` and `since` (RFC 3339) narrow the list. `await` it for a
   * page, or iterate it for all.
   * @example const { data, nextCursor } = await client.content.list({ status: 'failed' });
   */
  list(query?: QueryOf<'listGenerations'>, options?: CallOptions): ListPromise<Generation>;

  /** Returns a generation in its current state. */
  get(requestId: string, options?: CallOptions): ApiPromise<Generation>;

  /** Cancels a generation that is `processing`; 409 `invalid_state` otherwise. */
  cancel(requestId: string, options?: CallOptions): ApiPromise<Generation>;

  /**
   * Returns the job of a generation that was started earlier, from its `requestId` or its JSON. Sends nothing.
   * @throws TypeError if there is no `requestId`
   * @example const { result } = await client.content.resume('gen_01hzy3v5k8m2n4p6q8r0s2t4v6').wait();
   */
  resume(
    job:
      | string
      | {
          /** Identifier of the generation. */
          readonly requestId: string;
        },
  ): GenerationJob;
}

export function createContent(caller: Caller): Content {
  const complete = (request: GenerateRequest, options?: CallOptions) =>
    caller.call('generateContent', options, { body: request ?? null }, (result) => {
      const generation = result.body as CompletedGeneration;
      if (typeof generation.result === 'string') return generation;
      throw unexpectedResponse(result, 'has no result');
    });
  const start = (request: StartParams, options?: CallOptions) => {
    const webhookUrl = (request as GenerateRequest | undefined)?.webhookUrl;
    if (isObject(request) && webhookUrl == null) {
      return new CallPromise<GenerationJob>(async () => {
        throw new TypeError('start() needs a webhookUrl. Use generate() to wait for the result.');
      });
    }
    const body = isObject(request)
      ? { ...request, webhookUrl: undefined, [caller.options.webhookUrlField]: webhookUrl }
      : null;
    return caller.call('generateContent', options, { body }, (result) => {
      const { requestId } = result.body as { requestId?: unknown };
      if (typeof requestId === 'string') return new Job(caller, requestId);
      throw unexpectedResponse(result, 'has no requestId');
    });
  };

  return {
    generate: ((request: GenerateRequest, options?: CallOptions) =>
      request?.webhookUrl === undefined
        ? complete(request, options)
        : start(request as StartParams, options)) as Content['generate'],
    start,
    stream: (request, options) => {
      const body = isObject(request) ? { ...request, stream: true } : null;
      return createStream(() =>
        caller.send('generateContent', options, {
          body,
          streamTypes: /^text\/event-stream\b/i,
          isValidBody: () => false,
        }),
      );
    },
    list: (query, options) => createList(caller, 'listGenerations', options, query),
    get: (requestId, options) => caller.call('getGeneration', options, { path: { requestId } }),
    cancel: (requestId, options) =>
      caller.call('cancelGeneration', options, { path: { requestId } }),
    resume: (job) => {
      const { requestId } = typeof job === 'string' ? { requestId: job } : Object(job);
      fillPath('{requestId}', { requestId });
      return new Job(caller, requestId);
    },
  };
}

/** An asynchronous generation. Its JSON can be passed to `client.content.resume()`, in another process too. */
export interface GenerationJob {
  /** The status when the job was created; `client.content.get()` returns the current one. */
  readonly status: 'processing';
  /** The id that the callback carries too. */
  readonly requestId: string;

  /**
   * Waits for the generation to end: polls at once, then at intervals that grow from 0.5 s to 10 s (`pollInterval`).
   * @throws GenerationFailedError `generation_failed` or `generation_canceled`
   * @throws TimeoutError `deadline_exceeded`; the generation continues
   * @example const { result } = await job.wait({ deadline: 60_000 });
   */
  wait(options?: WaitOptions): Promise<GenerationResult>;

  /** Cancels the generation; 409 `invalid_state` if it has already ended. */
  cancel(options?: CallOptions): ApiPromise<Generation>;
}

class Job implements GenerationJob {
  readonly status = 'processing';
  readonly requestId: string;
  readonly #caller: Caller;

  constructor(caller: Caller, requestId: string) {
    this.#caller = caller;
    this.requestId = requestId;
  }

  async wait(options?: WaitOptions): Promise<GenerationResult> {
    return waitForGeneration(this.#caller, this.requestId, options);
  }

  cancel(options?: CallOptions): ApiPromise<Generation> {
    const path = { requestId: this.requestId };
    return this.#caller.call('cancelGeneration', options, { path });
  }
}

/** Polls, and listens for the callback if there is a result source, until the generation has ended. */
async function waitForGeneration(
  caller: Caller,
  requestId: string,
  options?: WaitOptions,
): Promise<GenerationResult> {
  const given = checkWaitOptions(options ?? {});
  const { results, signal, deadline: ms = caller.options.deadline } = given;
  const deadline = new Deadline(ms, 'deadline_exceeded', signal);
  try {
    if (!results) return await poll(caller, requestId, given, deadline);
    const received = receive(caller, requestId, results, deadline.signal);
    const polled = poll(caller, requestId, given, deadline, received);
    return (await Promise.race([polled, received])) ?? (await polled);
  } catch (error) {
    if (!deadline.failure) throw error;
    const hint = `Generation ${requestId} is still processing. Call wait() again, or cancel() to stop it.`;
    throw toError({ ...deadline.failure, hint }, { operation: 'getGeneration' });
  } finally {
    // Aborts whichever of the two is still running.
    deadline.end({ code: 'aborted' });
  }
}

/**
 * Polls until the generation has ended. The deadline aborts the poll in flight.
 *
 * @param received - The result from the result source; polls are rare until that fails.
 */
async function poll(
  caller: Caller,
  requestId: string,
  { results: _, onProgress, pollInterval, ...options }: WaitOptions,
  deadline: Deadline,
  received?: Promise<GenerationResult | undefined>,
): Promise<GenerationResult> {
  const { signal } = deadline;
  const pollOptions = { ...options, signal, deadline: Infinity };
  const start = elapsed();
  let hasWarned = false;
  let listens = received !== undefined;
  const stopListening = () => {
    listens = false;
  };
  received?.then(stopListening, stopListening);
  for (let polls = 1; ; polls += 1) {
    const polled = await caller.send('getGeneration', pollOptions, { path: { requestId } });
    const completed = completedOf(polled);
    if (completed) return completed;
    const generation = polled.body as Generation;
    if (generation.status !== 'processing' && !hasWarned) {
      hasWarned = true;
      warn(caller, 'the generation has an unknown status; still waiting', { requestId });
    }
    const retryAfter = retryAfterOf(polled.response.headers);
    const delayMs = pollDelay(polls, random(), pollInterval, listens);
    // Polls are so rare that there might be no other before the deadline.
    const lastPollMs = listens
      ? Math.max(0, Math.trunc(deadline.remaining() - leastTimeToPollMs))
      : 0;
    const nextPollMs = retryAfter || Math.min(delayMs, lastPollMs || delayMs);
    const elapsedMs = elapsed() - start;
    runHook(caller.options, 'onProgress', () =>
      onProgress?.({ generation, polls, elapsedMs, nextPollMs }),
    );
    const slept = sleep(nextPollMs, deadline);
    const result = await Promise.race([slept, listens ? received : slept]);
    if (result) return result;
  }
}

/** How long before the deadline a wait that listens polls once more. */
const leastTimeToPollMs = 1000;

/** The completed generation in a response, or `undefined` if it is still processing. */
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
