import type { World } from './context.ts';
import { disableWebhook, enableWebhook } from './delivery/health.ts';
import { cancelPending } from './delivery/queue.ts';
import { checkCallbackUrl } from './delivery/url-policy.ts';
import { logChange } from './event-log.ts';
import { newId } from './ids.ts';
import { findOrganization } from './organizations.ts';
import type { SystemEvent, Webhook } from './records.ts';
import { isRefusal, type Refusal, refuseField } from './rejection.ts';
import { isSecret, newSecret, type Rotation, rotate } from './secrets.ts';

export interface NewWebhook {
  readonly event: SystemEvent;
  readonly url: string;
  readonly description?: string;
  readonly threshold?: number;
  readonly secret?: string;
  readonly token?: string;
}

export interface WebhookChanges {
  readonly url?: string;
  readonly description?: string;
  readonly threshold?: number;
  readonly token?: string;
  readonly status?: 'enabled' | 'disabled';
}

const DEFAULT_THRESHOLD = 0.9;

/** Refuses a URL that no delivery may go to, as far as its text tells; `field` is where it stood. */
export function refuseUrl(world: World, url: string, field: string): Refusal | undefined {
  const { strictHttps, allowPrivate } = world.settings;
  const checked = checkCallbackUrl(url, { strictHttps, allowPrivate });
  if (checked.ok) return undefined;
  const code = {
    invalid_url: 'invalid_format',
    scheme: 'insecure_url',
    credentials: 'invalid_value',
    address: 'refused_address',
  }[checked.code];
  return refuseField(`/${field}`, code, checked.message);
}

function refuseThreshold(event: SystemEvent, threshold: number | undefined): Refusal | undefined {
  if (threshold === undefined || event === 'usage_threshold') return undefined;
  return refuseField('/threshold', 'conflict', 'Only a usage_threshold registration has one.');
}

function refuseSecret(secret: string | undefined): Refusal | undefined {
  if (secret === undefined || isSecret(secret)) return undefined;
  const message = 'secret must be whsec_ and padded standard base64 of 24 to 64 bytes.';
  return refuseField('/secret', 'invalid_format', message);
}

/** Registers `input.url` for one event of the project's organization. */
export function createWebhook(
  world: World,
  owner: { organization: string; project: string },
  input: NewWebhook,
): Webhook | Refusal {
  const refused =
    refuseUrl(world, input.url, 'url') ??
    refuseThreshold(input.event, input.threshold) ??
    refuseSecret(input.secret);
  if (refused) return refused;
  const now = world.ports.clock.now();
  const { ordinal } = findOrganization(world, owner.organization);
  const { event, url, description, token } = input;
  const secret = input.secret ?? newSecret(world, ordinal);
  const webhook: Webhook = {
    id: newId(world, 'wh', ordinal),
    organization: owner.organization,
    project: owner.project,
    event,
    url,
    ...(description !== undefined && { description }),
    ...(event === 'usage_threshold' && { threshold: input.threshold ?? DEFAULT_THRESHOLD }),
    ...(token !== undefined && { token }),
    status: 'enabled',
    secrets: [{ secret, createdAt: now }],
    createdAt: now,
    updatedAt: now,
  };
  world.store.table('webhooks').put(webhook);
  logChange(world, webhook, 'webhook.created', { event, url });
  return webhook;
}

/** Changes what is given. Disabling cancels pending deliveries; enabling forgets why it was disabled. */
export function updateWebhook(
  world: World,
  webhook: Webhook,
  changes: WebhookChanges,
): Webhook | Refusal {
  const { status, ...fields } = changes;
  const refused =
    (fields.url === undefined ? undefined : refuseUrl(world, fields.url, 'url')) ??
    refuseThreshold(webhook.event, fields.threshold);
  if (refused) return refused;
  const changed: Webhook = { ...webhook, ...fields, updatedAt: world.ports.clock.now() };
  world.store.table('webhooks').put(changed);
  logChange(world, changed, 'webhook.updated', { fields: Object.keys(changes) });
  if (status === 'disabled') return disableWebhook(world, changed, 'requested');
  if (status === 'enabled') return enableWebhook(world, changed);
  return changed;
}

export function deleteWebhook(world: World, webhook: Webhook): void {
  cancelPending(world, webhook.id);
  world.store.table('webhooks').delete(webhook.id);
  logChange(world, webhook, 'webhook.deleted', {});
}

export function rotateWebhookSecret(
  world: World,
  webhook: Webhook,
  rotation: Rotation,
): Webhook | Refusal {
  const now = world.ports.clock.now();
  const { ordinal } = findOrganization(world, webhook.organization);
  const secrets = rotate(webhook.secrets, newSecret(world, ordinal), rotation, now);
  if (isRefusal(secrets)) return secrets;
  const rotated: Webhook = { ...webhook, secrets, updatedAt: now };
  world.store.table('webhooks').put(rotated);
  logChange(world, rotated, 'webhook.secret_rotated', { overlapSeconds: rotation.overlapSeconds });
  return rotated;
}
