import type { Context } from '../context.ts';
import { findProject } from '../organizations.ts';
import type { Delivery } from '../records.ts';
import { activeSecrets } from '../secrets.ts';

/** Where an attempt goes and what signs it, as of now. */
export interface Target {
  readonly url: string;
  /** Newest first. */
  readonly secrets: readonly string[];
  readonly token?: string;
  /** Identifies the endpoint: attempts to one never wait for another. */
  readonly endpoint: string;
  /** The endpoint's last attempt failed. */
  readonly failing: boolean;
}

/** Looks up the delivery's current target; undefined if its registration is gone or disabled. */
export function findTarget(context: Context, delivery: Delivery): Target | undefined {
  const now = context.ports.clock.now();
  if (delivery.webhookId === undefined) {
    const { secrets } = findProject(context, delivery.project);
    return {
      url: delivery.url,
      secrets: activeSecrets(secrets, now),
      endpoint: `${delivery.project} ${delivery.url.replace(/[?#].*$/s, '')}`,
      failing: delivery.attempts.length > (delivery.attemptsBefore ?? 0),
    };
  }
  const webhook = context.store.table('webhooks').get(delivery.webhookId);
  if (webhook?.status !== 'enabled') return undefined;
  return {
    url: webhook.url,
    secrets: activeSecrets(webhook.secrets, now),
    ...(webhook.token === undefined ? {} : { token: webhook.token }),
    endpoint: webhook.id,
    failing: webhook.failingSince !== undefined,
  };
}
