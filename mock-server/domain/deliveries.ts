import type { Context } from './context.ts';
import { logChange } from './event-log.ts';
import { newId } from './ids.ts';
import { findOrganization } from './organizations.ts';
import { timestamp } from './periods.ts';
import type { Attempt, Delivery, Json, SystemEvent, Webhook } from './records.ts';

type Subject = Pick<Delivery, 'organization' | 'project' | 'webhookId' | 'requestId'>;

/** A message to send: a payload, or the text of the body as it is. */
export interface NewDelivery extends Subject, Pick<Delivery, 'event' | 'url' | 'headers'> {
  /** The organization's random stream, which its ids are drawn from. */
  readonly rngStream: number;
  readonly payload?: object;
  readonly body?: string | undefined;
  /** @default a new id */
  readonly messageId?: string | undefined;
}

const noAttempts: readonly Attempt[] = [];

/** Freezes the body and schedules the first attempt. Call it inside the commit that the message reports. */
export function enqueueDelivery(context: Context, input: NewDelivery): Delivery {
  const { organization, project, webhookId, requestId, event, url, headers, payload } = input;
  const { deployment } = context.settings;
  const sent = deployment && payload ? deployment.toTheirs.payload(payload) : payload;
  const { body = JSON.stringify(sent) } = input;
  const now = context.ports.clock.now();
  const id = newId(context, 'dlv', input.rngStream);
  const delivery: Delivery = {
    id,
    organization,
    project,
    // A delivery and its message share one random draw.
    messageId: input.messageId ?? `msg_${id.slice('dlv_'.length)}`,
    webhookId,
    requestId,
    event,
    url,
    body,
    headers,
    status: 'pending',
    createdAt: now,
    nextAttemptAt: now,
    attempts: noAttempts,
    attemptsBefore: undefined,
    held: undefined,
    faults: undefined,
  };
  context.store.table('deliveries').put(delivery);
  context.scheduler.schedule('delivery.attempt', delivery.id, now);
  logChange(context, delivery, 'delivery.created', { event: delivery.event, url: delivery.url });
  return delivery;
}

/** Cancels all pending deliveries of a registration and aborts their attempts in flight. */
export function cancelPending(context: Context, webhookId: string): void {
  const deliveries = context.store.table('deliveries');
  const pending = { index: 'subjectStatus', key: `${webhookId}:pending` };
  for (const delivery of deliveries.oldest(pending)) cancelDelivery(context, delivery);
}

export function cancelDelivery(context: Context, delivery: Delivery): void {
  const canceled: Delivery = {
    ...delivery,
    status: 'canceled',
    nextAttemptAt: undefined,
    held: undefined,
  };
  context.store.table('deliveries').put(canceled);
  context.history.deliveryEnded(canceled);
  context.scheduler.cancel(delivery.id);
  logChange(context, delivery, 'delivery.canceled', {});
}

/** An organization's enabled registrations for one event, oldest first. */
export function subscribersOf(
  context: Context,
  organization: string,
  event: SystemEvent,
): Webhook[] {
  const key = `${organization}:${event}`;
  return context.store.table('webhooks').oldest({ index: 'listening', key });
}

export function notify(
  context: Context,
  webhook: Webhook,
  event: SystemEvent,
  facts: { readonly [key: string]: Json },
): Delivery {
  const { organization, project, id, url } = webhook;
  const occurredAt = timestamp(context.ports.clock.now());
  const payload = { event, organization, occurredAt, ...facts };
  const { rngStream } = findOrganization(context, organization);
  return enqueueDelivery(context, {
    organization,
    project,
    rngStream,
    webhookId: id,
    url,
    event,
    payload,
  });
}

export function broadcast(
  context: Context,
  organization: string,
  event: SystemEvent,
  facts: { readonly [key: string]: Json },
): Delivery[] {
  return subscribersOf(context, organization, event).map((webhook) =>
    notify(context, webhook, event, facts),
  );
}
