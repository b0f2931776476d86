import type { Context } from '../context.ts';
import { appendEvent } from '../event-log.ts';
import { newId } from '../ids.ts';
import type { Attempt, Delivery, Json } from '../records.ts';

/** A message to be sent. */
export interface NewDelivery {
  readonly organization: string;
  readonly project: string;
  /** The organization's rngStream: names the random stream of its ids. */
  readonly rngStream: number;
  /** The registration, for an event. */
  readonly webhookId?: string;
  /** The generation, for a result callback. */
  readonly requestId?: string;
  readonly event: Delivery['event'];
  readonly url: string;
  readonly payload: object;
}

const noAttempts: readonly Attempt[] = [];

/** Freezes the body and puts the first attempt on the clock; call it inside the commit that the message tells of. */
export function enqueueDelivery(context: Context, input: NewDelivery): Delivery {
  const { organization, project, webhookId, requestId, event, url, payload, rngStream } = input;
  const now = context.ports.clock.now();
  const id = newId(context, 'dlv', rngStream);
  const delivery: Delivery = {
    id,
    organization,
    project,
    // Every delivery has a message of its own, so one draw names both.
    messageId: `msg_${id.slice('dlv_'.length)}`,
    webhookId,
    requestId,
    event,
    url,
    body: JSON.stringify(payload),
    status: 'pending',
    createdAt: now,
    nextAttemptAt: now,
    attempts: noAttempts,
  };
  context.store.table('deliveries').put(delivery);
  context.scheduler.schedule('delivery.attempt', delivery.id, now);
  logDelivery(context, delivery, 'delivery.created', { event: delivery.event, url: delivery.url });
  return delivery;
}

/** Gives up every pending delivery of a registration, attempts in flight included. */
export function cancelPending(context: Context, webhookId: string): void {
  const deliveries = context.store.table('deliveries');
  const query = { index: 'pending', key: webhookId, limit: Number.POSITIVE_INFINITY };
  for (const delivery of deliveries.oldest(query)) cancelDelivery(context, delivery);
}

/** Gives up one pending delivery. */
export function cancelDelivery(context: Context, delivery: Delivery): void {
  putFinished(context, { ...delivery, status: 'canceled', nextAttemptAt: undefined });
  context.scheduler.cancel(delivery.id);
  logDelivery(context, delivery, 'delivery.canceled', {});
}

/** Writes a delivery that is over; of the others that are, the oldest beyond the limit are forgotten. */
export function putFinished(context: Context, delivery: Delivery): void {
  const deliveries = context.store.table('deliveries');
  deliveries.put(delivery);
  const finished = { index: 'finished', key: 'yes' };
  if (deliveries.count(finished) <= context.settings.logLimit) return;
  const first = deliveries.find('finished', 'yes');
  const oldest =
    first?.id === delivery.id ? deliveries.oldest({ ...finished, limit: 2 })[1] : first;
  if (oldest) deliveries.delete(oldest.id);
}

/** Appends what happened to a delivery. */
export function logDelivery(
  context: Context,
  { id, organization, project }: Delivery,
  type: string,
  data: Record<string, Json>,
): void {
  appendEvent(context, { type, organization, project, subject: id, data });
}
