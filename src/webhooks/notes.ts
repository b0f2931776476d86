import { isDriven, now as platformNow } from '../platform/driver.ts';
import { misconfigured } from '../signing/errors.ts';
import type { Dedupe } from './dedupe/lease-times.ts';
import { defaultToleranceS, type VerificationOptions } from './defaults.ts';
import { isDevelopment } from './diagnosis-due.ts';
import { hintOf, type WebhookErrorCode } from './errors.ts';
import { isKnownType } from './events.ts';
import { warn } from './log.ts';

type Options = Pick<VerificationOptions, 'logger' | 'now' | 'tolerance'>;

/** Logs rejected deliveries: the first with a code at once, and those of the minute after it with the next one. */
export function createRejectionNote(options: Options) {
  const { now = platformNow } = options;
  const counts = new Map<WebhookErrorCode, { since: number; count: number }>();
  return (code: WebhookErrorCode, hint = hintOf(code)) => {
    const last = counts.get(code);
    // A clock that was set back must not silence it.
    if (last && Math.abs(now() - last.since) < 60_000) {
      last.count += 1;
      return;
    }
    const count = 1 + (last?.count ?? 0);
    counts.set(code, { since: now(), count: 0 });
    const deliveries = count === 1 ? 'a webhook' : `${count} webhooks`;
    warn(options, `Rejected ${deliveries}: ${code}. ${hint}`);
  };
}

/** Logs, once for each type and only in development, that nothing handles an event. */
export function createIgnoredNote(options: Options) {
  const seen = new Set<string>();
  return (type: string) => {
    if (seen.has(type) || !isKnownType(type) || !isDevelopment(options.logger)) return;
    seen.add(type);
    warn(
      options,
      `Acknowledged a webhook ${type} that no callback handles. Set on.${type}, or onOther for all others.`,
    );
  };
}

const keptBodies = 1000;

/** Warns once when two ids come with the same body under a scheme that signs no id. */
export function createEqualBodiesNote(options: Options) {
  const ids = new Map<string, string>();
  let isWarned = false;
  return (key: string, id: string) => {
    if (isWarned) return;
    const before = ids.get(key);
    if (before === undefined) {
      ids.set(key, id);
      if (ids.size > keptBodies) ids.delete(ids.keys().next().value as string);
    } else if (before !== id) {
      isWarned = true;
      ids.clear();
      warn(
        options,
        `Webhook ${id} has the body of ${before}, and this scheme signs only the body: it counts as a copy. For another event, pass dedupeKey: ({ id }) => id; replays are then possible.`,
      );
    }
  };
}

/** Logs, with the first claim, what is wrong with the set-up of a store. */
export function createStoreNote(dedupe: Dedupe, options: Options) {
  let isAsked = dedupe.findFault === undefined || isDriven();
  return () => {
    if (isAsked) return;
    isAsked = true;
    const note = async () => {
      const fault = await dedupe.findFault?.();
      if (fault) warn(options, fault);
    };
    // A user of the store who may not ask can do without.
    note().catch(() => {});
  };
}

/** @throws WebhookConfigurationError unless a store remembers a delivery for as long as a copy of it can be valid. */
export function assertRemembersReplays(dedupe: Dedupe, { tolerance = defaultToleranceS }: Options) {
  const { ttlMs } = dedupe;
  // One from the future is valid for twice the tolerance.
  const least = tolerance * 2000;
  if (ttlMs !== undefined && ttlMs < least)
    misconfigured(
      `ttlMs of the dedupe store is ${ttlMs}, but a copy of a delivery stays valid for ${least} ms`,
      `Pass at least ${least}, twice the tolerance, or lower tolerance.`,
    );
}
