import { kindOf, misconfigured } from '../../signing/errors.ts';
import type { WebhookEvent } from '../events.ts';
import type { WebhookHandlerOptions } from '../handler-options.ts';
import type { LogFailure } from '../log.ts';
import type { DeliveryResult } from '../process-once.ts';
import { defaultStoreTimeoutMs, type StoreTime, withinTime } from '../store-deadline.ts';
import { toMessage } from './message.ts';

export type HandOver = (
  event: WebhookEvent,
  key: string,
  body: string,
  time: StoreTime,
) => Promise<DeliveryResult>;

/** These belong to the processor once there is a queue. */
const processorOptions = ['on', 'onOther', 'dedupe', 'middleware'] as const;

export function createHandOver(
  options: WebhookHandlerOptions,
  log: LogFailure,
): HandOver | undefined {
  const { enqueue, storeTimeoutMs = defaultStoreTimeoutMs } = options;
  if (!('enqueue' in options)) return undefined;
  if (typeof enqueue !== 'function')
    misconfigured(
      `enqueue is ${kindOf(enqueue)}`,
      'Pass a function: (event, raw) => queue.send(raw).',
    );
  for (const name of processorOptions)
    if (name in options)
      misconfigured(
        `${name} and enqueue are both given`,
        `Pass ${name} to createWebhookProcessor: the callbacks run there.`,
      );
  return async (event, key, body, time) => {
    try {
      const written = enqueue(event, toMessage(event, key, body));
      if (typeof Object(written).then !== 'function')
        throw new Error(`enqueue returned ${kindOf(written)}. Return the promise of the write.`);
      await withinTime(time, storeTimeoutMs, async () => written, 'queue');
      return { status: 200, outcome: 'queued' };
    } catch (error) {
      log(`Failed to enqueue webhook ${event.type} ${event.id}`, error);
      return { status: 503, outcome: 'enqueue_failed', retryAfter: 5 };
    }
  };
}
