import type { World } from '../context.ts';
import { appendEvent } from '../event-log.ts';
import type { Json } from '../ports.ts';
import type { Delivery, Webhook } from '../records.ts';
import { cancelPending } from './queue.ts';

/** Why a registration gets nothing any more. */
export type DisabledReason = 'gone' | 'failing' | 'requested';

const failingLimit = 5 * 24 * 60 * 60 * 1000;

/** Stops all deliveries to a registration, pending ones included. */
export function disableWebhook(world: World, webhook: Webhook, reason: DisabledReason): Webhook {
  if (webhook.status === 'disabled') return webhook;
  const disabled: Webhook = {
    ...webhook,
    status: 'disabled',
    disabledReason: reason,
    updatedAt: world.ports.clock.now(),
  };
  world.store.table('webhooks').put(disabled);
  log(world, disabled, 'webhook.disabled', { reason });
  cancelPending(world, webhook.id);
  return disabled;
}

/** Lets a registration get events again, and forgets that it ever failed. */
export function enableWebhook(world: World, webhook: Webhook): Webhook {
  const { disabledReason: _, failingSince: __, ...rest } = webhook;
  const enabled: Webhook = { ...rest, status: 'enabled' };
  world.store.table('webhooks').put(enabled);
  if (webhook.status === 'disabled') log(world, enabled, 'webhook.enabled', {});
  return enabled;
}

/** A success ends a registration's bad spell. */
export function noteSuccess(world: World, delivery: Delivery): void {
  const webhook = webhookOf(world, delivery);
  if (webhook?.failingSince === undefined) return;
  const { failingSince: _, ...healthy } = webhook;
  world.store.table('webhooks').put(healthy);
}

/** Disables a registration at once when it is gone, and when nothing has reached it for five days. */
export function noteFailure(world: World, delivery: Delivery, gone: boolean): void {
  const webhook = webhookOf(world, delivery);
  if (webhook?.status !== 'enabled') return;
  const now = world.ports.clock.now();
  const failing = { ...webhook, failingSince: webhook.failingSince ?? now };
  world.store.table('webhooks').put(failing);
  if (gone) disableWebhook(world, failing, 'gone');
  else if (now - failing.failingSince >= failingLimit) disableWebhook(world, failing, 'failing');
}

function webhookOf(world: World, { webhookId }: Delivery): Webhook | undefined {
  return webhookId === undefined ? undefined : world.store.table('webhooks').get(webhookId);
}

function log(
  world: World,
  { id, organization, project }: Webhook,
  type: string,
  data: Record<string, Json>,
): void {
  appendEvent(world, { type, organization, project, subject: id, data });
}
