import type { Context } from '../context.ts';
import type { Delivery, Webhook } from '../records.ts';
import { enqueueDelivery, logDelivery } from './queue.ts';
import { samplePayload } from './sample-payload.ts';

/** The delivery, queued again, or why it cannot be: it is still pending, or its registration is gone or disabled. */
export type Redelivery =
  | { readonly ok: true; readonly delivery: Delivery }
  | { readonly ok: false; readonly code: 'invalid_state' };

/** Queues a finished delivery again: same bytes, same `webhook-id`, a fresh retry schedule. */
export function redeliver(context: Context, delivery: Delivery): Redelivery {
  const { webhookId } = delivery;
  const webhook =
    webhookId === undefined ? undefined : context.store.table('webhooks').get(webhookId);
  const deliverable = webhookId === undefined || webhook?.status === 'enabled';
  if (delivery.status === 'pending' || !deliverable) return { ok: false, code: 'invalid_state' };
  const now = context.ports.clock.now();
  const again: Delivery = {
    ...delivery,
    status: 'pending',
    nextAttemptAt: now,
    attemptsBefore: delivery.attempts.length,
  };
  context.store.table('deliveries').put(again);
  context.scheduler.schedule('delivery.attempt', again.id, now);
  logDelivery(context, again, 'delivery.redelivered', { event: again.event, url: again.url });
  return { ok: true, delivery: again };
}

/** Queues a registration's failed deliveries created at or after `since` again. Returns how many. */
export function redeliverFailed(context: Context, webhookId: string, since: number): number {
  const query = { index: 'failed', key: webhookId, limit: Number.POSITIVE_INFINITY };
  const failed = context.store.table('deliveries').oldest(query);
  return failed.filter((delivery) => delivery.createdAt >= since && redeliver(context, delivery).ok)
    .length;
}

/** Queues a sample event for a registration. */
export function sendTest(context: Context, webhook: Webhook, rngStream: number): Delivery {
  const { id, organization, project, event, url } = webhook;
  return enqueueDelivery(context, {
    organization,
    project,
    rngStream,
    webhookId: id,
    event,
    url,
    payload: samplePayload(context, webhook),
  });
}
