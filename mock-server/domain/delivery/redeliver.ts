import type { Context } from '../context.ts';
import { enqueueDelivery } from '../deliveries.ts';
import { logChange } from '../event-log.ts';
import type { Delivery, Webhook } from '../records.ts';
import { isRejection, type Rejection, reject } from '../rejection.ts';
import { samplePayload } from './sample-payload.ts';

/**
 * Requeues a finished delivery: same bytes, same `webhook-id`, a fresh retry schedule. One that is still pending keeps
 * its schedule; only its next attempt is made now. One that waits for a slot of its endpoint keeps its position.
 */
export function redeliver(context: Context, delivery: Delivery): Delivery | Rejection {
  const { scheduler, store } = context;
  const pending = delivery.status === 'pending';
  const waiting = pending && scheduler.isWaiting(delivery.id);
  if (pending && !waiting && scheduler.isRunning(delivery.id)) {
    return reject(
      'invalid_state',
      'An attempt of this delivery is in flight. Wait for its outcome, then retry.',
    );
  }
  if (!isDeliverable(context, delivery)) {
    return reject('invalid_state', 'The registration of this delivery is disabled or deleted.');
  }
  const now = context.ports.clock.now();
  const again: Delivery = {
    ...delivery,
    status: 'pending',
    ...(!waiting && { nextAttemptAt: now }),
    ...(!pending && { attemptsBefore: delivery.attempts.length }),
  };
  store.table('deliveries').put(again);
  if (!waiting) {
    if (pending) scheduler.cancel(again.id, 'delivery.attempt');
    scheduler.schedule('delivery.attempt', again.id, now);
  }
  logChange(context, again, 'delivery.redelivered', { event: again.event, url: again.url });
  return again;
}

/** Whether the delivery can still be sent: its registration is enabled, or it is a result callback. */
export function isDeliverable(context: Context, { webhookId }: Delivery): boolean {
  if (webhookId === undefined) return true;
  return context.store.table('webhooks').get(webhookId)?.status === 'enabled';
}

/** Which finished deliveries to requeue. */
export interface RedeliveryRange {
  /** Those created at or after this time. */
  readonly since: number;
  readonly status: 'failed' | 'delivered';
}

/** Requeues a registration's deliveries in a range. Returns how many. */
export const redeliverFailed = (context: Context, webhookId: string, range: RedeliveryRange) =>
  redeliverAll(context, 'subjectStatus', webhookId, range);

/** Requeues a project's result callbacks in a range. Returns how many. */
export const redeliverFailedCallbacks = (
  context: Context,
  project: string,
  range: RedeliveryRange,
) => redeliverAll(context, 'callbacksStatus', project, range);

function redeliverAll(
  context: Context,
  index: 'subjectStatus' | 'callbacksStatus',
  owner: string,
  { since, status }: RedeliveryRange,
): number {
  const query = { index, key: `${owner}:${status}`, limit: Number.POSITIVE_INFINITY };
  const finished = context.store.table('deliveries').oldest(query);
  const due = finished.filter((delivery) => delivery.createdAt >= since);
  return due.filter((delivery) => !isRejection(redeliver(context, delivery))).length;
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
