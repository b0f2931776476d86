import { abortSignal } from '../options/rules.ts';
import { assertOptions, misconfigured } from '../signing/errors.ts';
import { callbackRules } from './callbacks.ts';
import type { Dedupe } from './dedupe/lease-times.ts';
import type { CallbackOptions, ProcessOptions } from './handler-options.ts';
import { createCallbackRunner } from './process-once.ts';
import { readMessage, type WebhookMessage } from './queue/message.ts';
import { assertHandled } from './queue/retry-error.ts';

/** Options of `createWebhookProcessor`. */
export interface WebhookProcessorOptions extends CallbackOptions {
  /** Remembers handled deliveries. All workers must share it; `memoryDedupe()` is for a single process. */
  readonly dedupe: Dedupe;
}

/** How a message ended. */
export interface ProcessResult {
  /** What became of it; in each case the job is done. */
  readonly outcome: 'processed' | 'ignored' | 'duplicate' | 'permanent_error';
}

/** The half of a receiver that runs behind a queue. */
export interface WebhookProcessor {
  /**
   * Processes a message: what `enqueue` was given, or its JSON. If it rejects, the queue must redeliver the message.
   *
   * @throws WebhookRetryError while another attempt holds the lease, and when the dedupe store fails.
   * @throws WebhookMessageError when it is not a message from `enqueue`, or was written by a later version.
   * @throws the error of the callback; a `PermanentError` resolves instead.
   */
  process(message: WebhookMessage | string, options?: ProcessOptions): Promise<ProcessResult>;
}

/**
 * Creates the consumer of deliveries that `createWebhookHandler({ secret, enqueue })` put on a queue. It runs each
 * callback once, as a handler does. Feed it through an adapter, or call `process()` yourself.
 *
 * @throws WebhookConfigurationError when the options cannot work.
 * @example
 * const processor = createWebhookProcessor({
 *   on: { generation_completed: (event) => publish(event.payload.requestId, event.payload.result) },
 *   dedupe: memoryDedupe(),
 * });
 * await processor.process(job.data);
 */
export function createWebhookProcessor(options: WebhookProcessorOptions): WebhookProcessor {
  assertOptions(options, callbackRules, { handlers: 'on', callbacks: 'on', store: 'dedupe' });
  if (options.dedupe === undefined)
    misconfigured(
      'dedupe is not given',
      'Pass redisDedupe or postgresDedupe, which all workers share; memoryDedupe() only if this process is the only one.',
    );
  const runner = createCallbackRunner(options);
  return {
    async process(message, processOptions = {}) {
      const { event, key } = readMessage(message);
      assertOptions(processOptions, { signal: abortSignal });
      processOptions.signal?.throwIfAborted();
      const result = await runner.run(event, key, processOptions);
      assertHandled(result);
      return { outcome: result.outcome as ProcessResult['outcome'] };
    },
  };
}
