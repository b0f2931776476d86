import type { Context } from './context.ts';
import { enqueueDelivery } from './delivery/queue.ts';
import { findOrganization } from './organizations.ts';
import { timestamp } from './periods.ts';
import type { Delivery, Json, SystemEvent, Webhook } from './records.ts';

/** An organization's enabled registrations for one event, oldest first. */
export function subscribersOf(
  context: Context,
  organization: string,
  event: SystemEvent,
): Webhook[] {
  const key = `${organization}:${event}`;
  return context.store
    .table('webhooks')
    .oldest({ index: 'listening', key, limit: Number.POSITIVE_INFINITY });
}

/** Queues an event for one registration, under the deployment's own name for it. */
export function notify(
  context: Context,
  webhook: Webhook,
  event: SystemEvent,
  facts: { readonly [key: string]: Json },
): Delivery {
  const { organization, project, id, url } = webhook;
  const name = context.settings.eventNames[event] ?? event;
  const occurredAt = timestamp(context.ports.clock.now());
  const payload = { event: name, organization, occurredAt, ...facts };
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

/** Queues an event for every registration that subscribes to it. */
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
