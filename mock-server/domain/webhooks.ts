import type { components } from '../contract.ts';
import type { Context } from './context.ts';
import { cancelPending } from './deliveries.ts';
import { logChange } from './event-log.ts';
import { newId } from './ids.ts';
import { findOrganization } from './organizations.ts';
import type { Webhook } from './records.ts';
import { disableWebhook, enableWebhook } from './registration-health.ts';
import { isRejection, type Rejection } from './rejection.ts';
import { newSecret, type Rotation, rejectInvalidSecret, rotate } from './signing-secrets.ts';
import { rejectInvalidUrl } from './url-policy.ts';
import {
  DEFAULT_THRESHOLD,
  rejectInvalidThreshold,
  thresholdsChanged,
} from './usage-thresholds.ts';

type NewWebhook = Readonly<components['schemas']['CreateWebhookRequest']>;
type WebhookChanges = Readonly<components['schemas']['UpdateWebhookRequest']>;

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
  const createdAt = context.ports.clock.now();
  const { event, url, description, threshold, token } = input;
  const webhook: Webhook = {
    id: newId(context, 'wh', rngStream),
    organization: owner.organization,
    project: owner.project,
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
  const secrets = rotate(webhook.secrets, newSecret(context, rngStream), rotation, now);
  if (isRejection(secrets)) return secrets;
  const rotated: Webhook = { ...webhook, secrets, updatedAt: now };
  context.store.table('webhooks').put(rotated);
  logChange(context, rotated, 'webhook.secret_rotated', {
    overlapSeconds: rotation.overlapSeconds,
  });
  return rotated;
}
