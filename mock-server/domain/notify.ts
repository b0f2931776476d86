import type { World } from './context.ts';
import { enqueueDelivery } from './delivery/queue.ts';
import { findOrganization } from './organizations.ts';
import type { Json } from './ports.ts';
import type { Delivery, SystemEvent, Webhook } from './records.ts';

/** Enabled registrations of an organization's projects for one event, oldest first. */
export function listenersOf(world: World, organization: string, event: SystemEvent): Webhook[] {
  const key = `${organization}:${event}`;
  return world.store
    .table('webhooks')
    .oldest({ index: 'listening', key, limit: Number.POSITIVE_INFINITY });
}

/** Queues an event for one registration; its `event` field says the deployment's own name. */
export function notify(
  world: World,
  webhook: Webhook,
  event: SystemEvent,
  facts: { readonly [key: string]: Json },
): Delivery {
  const { organization, project, id, url } = webhook;
  const name = world.settings.eventNames[event] ?? event;
  const payload = { event: name, organization, ...facts };
  const stream = findOrganization(world, organization).ordinal;
  return enqueueDelivery(world, {
    organization,
    project,
    stream,
    webhookId: id,
    url,
    event,
    payload,
  });
}

/** Queues an event for every registration that listens to it. */
export function broadcast(
  world: World,
  organization: string,
  event: SystemEvent,
  facts: { readonly [key: string]: Json },
): Delivery[] {
  return listenersOf(world, organization, event).map((webhook) =>
    notify(world, webhook, event, facts),
  );
}
