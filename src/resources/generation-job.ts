import type { ApiPromise } from '../core/api-promise.ts';
import { type Caller, unexpected } from '../core/caller.ts';
import { poll } from '../core/poll.ts';
import type { Answer } from '../core/send.ts';
import { GenerationFailedError } from '../errors.ts';
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
  readonly #call: Caller;

  constructor(call: Caller, requestId: string) {
    this.#call = call;
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
    const { log } = this.#call.transport.options;
    let warned = false;
    return poll<GenerationResult>(this.#call, {
      operation: 'getGeneration',
      path: { requestId },
      options: callOptions,
      hint: `Generation ${requestId} had not ended and goes on: wait() again, or cancel() it.`,
      settled: (answer) => {
        const { status } = answer.data as Generation;
        const known = outcome(answer.data as Generation, answer);
        if (!known && status !== 'processing' && !warned) {
          warned = true;
          log.warn('unknown status of a generation; waiting on', { requestId });
        }
        return known;
      },
      push: results && ((signal) => fromCallback(results, requestId, signal, log.warn)),
    });
  }

  /** Cancels it; 409 `invalid_state` when it has ended already. */
  cancel(options?: CallOptions): ApiPromise<Generation> {
    return this.#call('cancelGeneration', options, { path: { requestId: this.requestId } });
  }

  toJSON(): { status: 'processing'; requestId: string } {
    return { status: this.status, requestId: this.requestId };
  }
}

function outcome(generation: Generation, answer: Answer): CompletedGeneration | undefined {
  const { status, result } = generation;
  if (status === 'failed' || status === 'canceled') throw generationFailed(generation, answer.call);
  if (status !== 'completed') return undefined;
  if (typeof result !== 'string') throw unexpected(answer, 'completed without a result');
  return generation as CompletedGeneration;
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
    const known = payload as Partial<GenerationResult> | undefined;
    if (type === 'generation_failed') {
      throw generationFailed({ ...known, requestId, status: 'failed' }, {});
    }
    if (type === 'generation_completed' && typeof known?.result === 'string') {
      return { ...(known as GenerationResult), requestId, status: 'completed' };
    }
  } catch (error) {
    if (error instanceof GenerationFailedError) throw error;
    if (!signal.aborted) {
      warn('results.waitFor failed; polling goes on', { requestId, error: (error as Error)?.name });
    }
  }
  return new Promise<never>(() => {});
}
