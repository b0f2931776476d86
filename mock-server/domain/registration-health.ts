import type { Context } from './context.ts';
import { cancelPending } from './deliveries.ts';
import { logChange } from './event-log.ts';
import type { Webhook } from './records.ts';
import { thresholdsChanged } from './usage-thresholds.ts';

export type DisabledReason = 'gone' | 'failing' | 'requested';

const failingLimit = 5 * 24 * 60 * 60 * 1000;

/** Stops all deliveries to a registration and cancels pending ones. */
export function disableWebhook(
  context: Context,
  webhook: Webhook,
  reason: DisabledReason,
): Webhook {
  if (webhook.status === 'disabled') return webhook;
  const disabled: Webhook = {
    ...webhook,
    status: 'disabled',
    disabledReason: reason,
    updatedAt: context.ports.clock.now(),
  };
  context.store.table('webhooks').put(disabled);
  logChange(context, disabled, 'webhook.disabled', { reason });
  cancelPending(context, webhook.id);
  return disabled;
}

/** Lets a registration receive events again and clears its failures. */
export function enableWebhook(context: Context, webhook: Webhook): Webhook {
  const { disabledReason: _, failingSince: __, ...rest } = webhook;
  const enabled: Webhook = { ...rest, status: 'enabled' };
  context.store.table('webhooks').put(enabled);
  thresholdsChanged(context, enabled);
  if (webhook.status === 'disabled') logChange(context, enabled, 'webhook.enabled', {});
  return enabled;
}

export function recordSuccess(context: Context, id: string): void {
  const webhook = context.store.table('webhooks').get(id);
  if (webhook?.failingSince === undefined) return;
  const { failingSince: _, ...healthy } = webhook;
  context.store.table('webhooks').put(healthy);
}

/** Disables a registration immediately if its endpoint is gone, or once every attempt has failed for five days. */
export function recordFailure(context: Context, id: string, gone: boolean): void {
  const webhook = context.store.table('webhooks').get(id);
  if (webhook?.status !== 'enabled') return;
  const now = context.ports.clock.now();
  const failing = { ...webhook, failingSince: webhook.failingSince ?? now };
  context.store.table('webhooks').put(failing);
  if (gone) disableWebhook(context, failing, 'gone');
  else if (now - failing.failingSince >= failingLimit) disableWebhook(context, failing, 'failing');
}
