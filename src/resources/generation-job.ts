import type { ApiPromise } from '../core/api-promise.ts';
import { type Caller, unexpected } from '../core/caller.ts';
import { poll } from '../core/poll.ts';
import type { Answer } from '../core/send.ts';
import type { GenerationFailedError } from '../errors.ts';
import type { CallOptions } from '../options.ts';
import type { CompletedGeneration, Generation, GenerationResult } from '../types.ts';
import { generationFailed } from './generation-failed.ts';

/** Something that sees result callbacks, for instance the function that `createWebhookHandler` returns. */
export interface ResultSource {
  waitFor(
    requestId: string,
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly type: string; readonly payload: unknown }>;
}

/** Options of `job.wait()`; `deadline` bounds the whole wait, default none. */
export interface WaitOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** Settles the wait as soon as it sees the callback; polling goes on beside it. */
  readonly results?: ResultSource | undefined;
}

/** An asynchronous generation. It survives `JSON.stringify` and `client.content.resume`. */
export class GenerationJob {
  readonly status = 'processing';
  /** Correlates the callback. */
  readonly requestId: string;
  readonly #caller: Caller;

  constructor(caller: Caller, requestId: string) {
    this.#caller = caller;
    this.requestId = requestId;
  }

  /**
   * Polls until the generation has ended: at once, then every 0.5 s growing to 10 s.
   * @throws GenerationFailedError `generation_failed` or `generation_canceled`
   * @throws TimeoutError `deadline_exceeded`; the generation goes on
   */
  async wait(options: WaitOptions = {}): Promise<GenerationResult> {
    const { results, ...callOptions } = options ?? {};
    if (results !== undefined && typeof results?.waitFor !== 'function') {
      throw new TypeError('results must have a method waitFor(requestId, { signal }).');
    }
    const { requestId } = this;
    const { log } = this.#caller.transport.options;
    let warned = false;
    return poll<GenerationResult>(this.#caller, {
      operation: 'getGeneration',
      path: { requestId },
      options: callOptions,
      hint: `Generation ${requestId} had not ended and goes on: wait() again, or cancel() it.`,
      settled: (answer) => {
        const generation = answer.data as Generation;
        if (generation.status === 'processing') return undefined;
        const result = outcome(generation, answer);
        if (!result && !warned) {
          warned = true;
          log.warn('unknown status of a generation; waiting on', {
            requestId,
            status: String(generation.status).slice(0, 64),
          });
        }
        return result;
      },
      push: results && ((signal) => fromCallback(results, requestId, signal, log.warn)),
    });
  }

  /** Cancels it; 409 `invalid_state` when it has ended already. */
  cancel(options?: CallOptions): ApiPromise<Generation> {
    const { requestId } = this;
    return this.#caller.call(
      { operation: 'cancelGeneration', path: { requestId }, options },
      (data) => data as Generation,
    );
  }

  toJSON(): { status: 'processing'; requestId: string } {
    return { status: this.status, requestId: this.requestId };
  }
}

function outcome(generation: Generation, answer: Answer): CompletedGeneration | undefined {
  switch (generation.status) {
    case 'completed':
      if (typeof generation.result !== 'string')
        throw unexpected(answer, 'completed without a result');
      return generation as CompletedGeneration;
    case 'failed':
    case 'canceled':
      throw generationFailed(generation, 'getGeneration');
    default:
      return undefined;
  }
}

/** Never settles when the source fails or tells of something else: polling decides then. */
async function fromCallback(
  results: ResultSource,
  requestId: string,
  signal: AbortSignal,
  warn: (message: string, facts: object) => void,
): Promise<GenerationResult> {
  try {
    const { type, payload } = await results.waitFor(requestId, { signal });
    const known = payload as Partial<GenerationResult> &
      Pick<GenerationFailedError['generation'], 'error'>;
    if (type === 'generation_failed') {
      throw generationFailed(
        { requestId, status: 'failed', ...(known.error && { error: known.error }) },
        'getGeneration',
      );
    }
    if (type === 'generation_completed' && typeof known?.result === 'string') {
      return { ...(known as GenerationResult), requestId, status: 'completed' };
    }
  } catch (error) {
    if ((error as GenerationFailedError | undefined)?.code === 'generation_failed') throw error;
    if (!signal.aborted) {
      warn('results.waitFor failed; polling goes on', { requestId, error: (error as Error)?.name });
    }
  }
  return new Promise<never>(() => {});
}
