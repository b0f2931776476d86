import type { World } from '../context.ts';
import { appendEvent } from '../event-log.ts';
import { newId } from '../ids.ts';
import type { Json } from '../ports.ts';
import type { Attempt, Delivery } from '../records.ts';

/** A message to be sent. */
export interface NewDelivery {
  readonly organization: string;
  readonly project: string;
  /** The organization's ordinal: names the random stream of its ids. */
  readonly stream: number;
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
export function enqueueDelivery(world: World, input: NewDelivery): Delivery {
  const { organization, project, webhookId, requestId, event, url, payload, stream } = input;
  const now = world.ports.clock.now();
  const id = newId(world, 'dlv', stream);
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
  world.store.table('deliveries').put(delivery);
  world.scheduler.schedule('delivery.attempt', delivery.id, now);
  logDelivery(world, delivery, 'delivery.created', { event: delivery.event, url: delivery.url });
  return delivery;
}

/** Gives up every pending delivery of a registration, attempts in flight included. */
export function cancelPending(world: World, webhookId: string): void {
  const deliveries = world.store.table('deliveries');
  const query = { index: 'pending', key: webhookId, limit: Number.POSITIVE_INFINITY };
  for (const delivery of deliveries.oldest(query)) cancelDelivery(world, delivery);
}

/** Gives up one pending delivery. */
export function cancelDelivery(world: World, delivery: Delivery): void {
  putFinished(world, { ...delivery, status: 'canceled', nextAttemptAt: undefined });
  world.scheduler.cancel(delivery.id);
  logDelivery(world, delivery, 'delivery.canceled', {});
}

/** Writes a delivery that is over; of the others that are, the oldest beyond the limit are forgotten. */
export function putFinished(world: World, delivery: Delivery): void {
  const deliveries = world.store.table('deliveries');
  deliveries.put(delivery);
  const finished = { index: 'finished', key: 'yes' };
  if (deliveries.count(finished) <= world.settings.logLimit) return;
  const first = deliveries.find('finished', 'yes');
  const oldest =
    first?.id === delivery.id ? deliveries.oldest({ ...finished, limit: 2 })[1] : first;
  if (oldest) deliveries.delete(oldest.id);
}

/** Appends what happened to a delivery. */
export function logDelivery(
  world: World,
  { id, organization, project }: Delivery,
  type: string,
  data: Record<string, Json>,
): void {
  appendEvent(world, { type, organization, project, subject: id, data });
}
