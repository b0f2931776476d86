import { samples } from '../../../src/generated/samples.ts';
import type { Context } from '../context.ts';
import { enqueueDelivery } from '../deliveries.ts';
import { logChange } from '../event-log.ts';
import { findOrganization } from '../organizations.ts';
import { timestamp } from '../periods.ts';
import type { Delivery, Webhook } from '../records.ts';
import { isRejection, type Rejection, reject } from '../rejection.ts';

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
  const rejected = rejectUndeliverable(context, delivery);
  if (rejected) return rejected;
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

/** Rejects a delivery whose registration is not enabled. A result callback has none. */
function rejectUndeliverable(context: Context, { webhookId }: Delivery): Rejection | undefined {
  const webhooks = context.store.table('webhooks');
  if (webhookId === undefined || webhooks.get(webhookId)?.status === 'enabled') return undefined;
  return reject('invalid_state', 'The registration of this delivery is disabled or deleted.');
}

/**
 * Queues a copy of a delivery, signed like every delivery to that receiver. `headers` are sent in addition to the server's
 * own, or instead of them; `webhook-id` becomes the id of the message.
 */
export function redeliverEdited(
  context: Context,
  original: Delivery,
  body: string,
  headers: Readonly<Record<string, string>>,
): Delivery | Rejection {
  const rejected = rejectUndeliverable(context, original);
  if (rejected) return rejected;
  const { organization, project, webhookId, requestId, event, url } = original;
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const { 'webhook-id': messageId, ...others } = Object.fromEntries(lower);
  const { rngStream } = findOrganization(context, organization);
  return enqueueDelivery(context, {
    ...{ organization, project, rngStream, webhookId, requestId, event, url, body, messageId },
    headers: Object.keys(others).length > 0 ? others : undefined,
  });
}

export interface RedeliveryRange {
  /** Those created at or after this time. */
  readonly since: number;
  readonly status: 'failed' | 'delivered';
}

export const redeliverFailed = (context: Context, webhookId: string, range: RedeliveryRange) =>
  redeliverAll(context, 'subjectStatus', webhookId, range);

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
  const key = `${owner}:${status}`;
  const finished = context.store.table('deliveries').oldest({ index, key });
  const due = finished.filter((delivery) => delivery.createdAt >= since);
  return due.filter((delivery) => !isRejection(redeliver(context, delivery))).length;
}

/** Queues a sample event for a registration: the contract's example. None of its values is counted. */
export function sendTest(context: Context, webhook: Webhook, rngStream: number): Delivery {
  const { id: webhookId, organization, project, event, url } = webhook;
  const occurredAt = timestamp(context.ports.clock.now());
  const payload = { ...samples[event], organization, occurredAt };
  const message = { organization, project, rngStream, webhookId, event, url, payload };
  return enqueueDelivery(context, message);
}
