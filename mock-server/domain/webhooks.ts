import type { Context } from './context.ts';
import { cancelPending } from './deliveries.ts';
import { appendEvent, logChange } from './event-log.ts';
import { newId } from './ids.ts';
import { findOrganization, secretsOf } from './organizations.ts';
import type { Json, SystemEvent, Webhook } from './records.ts';
import { isRejection, type Rejection, rejectField } from './rejection.ts';
import { newSecret, type Rotation, rejectInvalidSecret, rotate } from './signing-secrets.ts';
import { rejectInvalidUrl } from './url-policy.ts';
import { thresholdsChanged } from './usage.ts';

type WebhookSettings = Pick<Webhook, 'url' | 'description' | 'threshold' | 'token'>;

export interface NewWebhook extends WebhookSettings {
  readonly event: SystemEvent;
  readonly secret?: string;
}

export interface WebhookChanges extends Partial<WebhookSettings> {
  readonly status?: 'enabled' | 'disabled';
}

/** Share of the quota at which a registration for `usage_threshold` is notified unless it names another. */
export const DEFAULT_THRESHOLD = 0.9;

function rejectInvalidThreshold(
  event: SystemEvent,
  threshold: number | undefined,
): Rejection | undefined {
  if (threshold === undefined || event === 'usage_threshold') return undefined;
  return rejectField(
    '/threshold',
    'conflict',
    'Only a registration for usage_threshold can have a threshold.',
  );
}

/** Registers `input.url` for one event of the project's organization. */
export function createWebhook(
  context: Context,
  owner: { organization: string; project: string },
  input: NewWebhook,
): Webhook | Rejection {
  const rejected =
    rejectInvalidUrl(context, input.url, 'url') ??
    rejectInvalidThreshold(input.event, input.threshold) ??
    rejectInvalidSecret(input.secret, context.settings.secretEncoding);
  if (rejected) return rejected;
  const { rngStream } = findOrganization(context, owner.organization);
  const secret = input.secret ?? newSecret(context, rngStream);
  const origin = { id: newId(context, 'wh', rngStream), createdAt: context.ports.clock.now() };
  return addWebhook(context, { ...owner, ...origin }, { ...input, secret });
}

type Origin = Pick<Webhook, 'id' | 'organization' | 'project' | 'createdAt'>;

/** Adds an enabled registration with checked fields. */
export function addWebhook(
  context: Context,
  { id, organization, project, createdAt }: Origin,
  { event, url, description, threshold, token, secret }: NewWebhook & { readonly secret: string },
): Webhook {
  const webhook: Webhook = {
    id,
    organization,
    project,
    event,
    url,
    ...(description !== undefined && { description }),
    ...(event === 'usage_threshold' && { threshold: threshold ?? DEFAULT_THRESHOLD }),
    ...(token !== undefined && { token }),
    status: 'enabled',
    secrets: [{ secret, createdAt }],
    createdAt,
    updatedAt: createdAt,
  };
  context.store.table('webhooks').put(webhook);
  thresholdsChanged(context, webhook);
  logChange(context, webhook, 'webhook.created', { event, url });
  return webhook;
}

/** Changes the given fields. Disabling cancels pending deliveries; enabling clears `disabledReason`. */
export function updateWebhook(
  context: Context,
  webhook: Webhook,
  changes: WebhookChanges,
): Webhook | Rejection {
  const { status, ...fields } = changes;
  const rejected =
    (fields.url === undefined ? undefined : rejectInvalidUrl(context, fields.url, 'url')) ??
    rejectInvalidThreshold(webhook.event, fields.threshold);
  if (rejected) return rejected;
  const changed: Webhook = { ...webhook, ...fields, updatedAt: context.ports.clock.now() };
  context.store.table('webhooks').put(changed);
  thresholdsChanged(context, changed);
  logChange(context, changed, 'webhook.updated', { fields: Object.keys(changes) });
  if (status === 'disabled') return disableWebhook(context, changed, 'requested');
  if (status === 'enabled') return enableWebhook(context, changed);
  return changed;
}

export function deleteWebhook(context: Context, webhook: Webhook): void {
  cancelPending(context, webhook.id);
  context.store.table('webhooks').delete(webhook.id);
  logChange(context, webhook, 'webhook.deleted', {});
}

export function rotateWebhookSecret(
  context: Context,
  webhook: Webhook,
  rotation: Rotation,
): Webhook | Rejection {
  const now = context.ports.clock.now();
  const { rngStream } = findOrganization(context, webhook.organization);
  const secrets = rotate(secretsOf(context, webhook), newSecret(context, rngStream), rotation, now);
  if (isRejection(secrets)) return secrets;
  const rotated: Webhook = { ...webhook, secrets, rotated: true, updatedAt: now };
  context.store.table('webhooks').put(rotated);
  logChange(context, rotated, 'webhook.secret_rotated', {
    overlapSeconds: rotation.overlapSeconds,
  });
  return rotated;
}

/** Why a registration no longer receives events. */
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
  log(context, disabled, 'webhook.disabled', { reason });
  cancelPending(context, webhook.id);
  return disabled;
}

/** Lets a registration receive events again and clears its failures. */
export function enableWebhook(context: Context, webhook: Webhook): Webhook {
  const { disabledReason: _, failingSince: __, ...rest } = webhook;
  const enabled: Webhook = { ...rest, status: 'enabled' };
  context.store.table('webhooks').put(enabled);
  thresholdsChanged(context, enabled);
  if (webhook.status === 'disabled') log(context, enabled, 'webhook.enabled', {});
  return enabled;
}

/** Marks a registration as healthy again. */
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

function log(
  context: Context,
  { id, organization, project }: Webhook,
  type: string,
  data: Record<string, Json>,
): void {
  appendEvent(context, { type, organization, project, subject: id, data });
}
