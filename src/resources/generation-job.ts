import type { ApiPromise } from '../core/api-promise.ts';
import type { Caller } from '../core/caller.ts';
import { kit } from '../core/kit.ts';
import { loaded } from '../core/loaded.ts';
import type { CallOptions } from '../options.ts';
import type { Generation, GenerationResult } from '../types.ts';

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
  async wait(options?: WaitOptions): Promise<GenerationResult> {
    const { waitForGeneration } = await loaded(import('./wait-for-generation.ts'));
    return waitForGeneration(kit, this.#call, this.requestId, options);
  }

  /** Cancels it; 409 `invalid_state` when it has ended already. */
  cancel(options?: CallOptions): ApiPromise<Generation> {
    return this.#call('cancelGeneration', options, { path: { requestId: this.requestId } });
  }
}
