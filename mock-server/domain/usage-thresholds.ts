import type { Context } from './context.ts';
import { notify, subscribersOf } from './deliveries.ts';
import { logChange } from './event-log.ts';
import { type Period, periodOf, timestamp, usageId } from './periods.ts';
import type { Organization, SystemEvent, Webhook } from './records.ts';
import { type Rejection, rejectField } from './rejection.ts';

/** Share of the quota at which a registration for `usage_threshold` is notified unless it names another. */
export const DEFAULT_THRESHOLD = 0.9;

/** Rejects a threshold where it would have no effect. */
export function rejectInvalidThreshold(
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

/** Call it when a registration begins to receive events, or its threshold changes: the next generation looks at all. */
export function thresholdsChanged(context: Context, { organization, event }: Webhook): void {
  if (event !== 'usage_threshold') return;
  const usage = context.store.table('usage');
  const row = usage.get(usageId(organization, periodOf(context.ports.clock.now())));
  if (!row?.quietBelow) return;
  usage.put({ ...row, quietBelow: undefined });
}

/**
 * Notifies each registration at most twice per period: when its share is reached, and when the quota is. With a share of
 * 1, that is one event. Returns the next usage that notifies one, as far as is known now.
 */
export function notifyThresholds(
  context: Context,
  organization: Organization,
  period: Period,
  used: number,
): number {
  const marks = context.store.table('thresholdMarks');
  const { id, quota } = organization;

  let next = used < quota ? quota : Number.MAX_SAFE_INTEGER;
  for (const webhook of subscribersOf(context, id, 'usage_threshold')) {
    const share = webhook.threshold ?? 1;
    const limits: [name: string, limit: number][] = [['quota', quota]];
    if (share < 1) limits.unshift(['share', shareOf(quota, share)]);
    for (const [name, limit] of limits) {
      if (used < limit) {
        next = Math.min(next, limit);
        continue;
      }
      const mark = `${webhook.id}:${period.start}:${name}`;
      if (marks.get(mark)) continue;
      const threshold = Math.floor(limit);
      marks.put({ id: mark, at: context.ports.clock.now() });
      notify(context, webhook, 'usage_threshold', usageFacts(used, threshold, quota, period));
      const data = { usage: used, threshold };
      logChange(context, webhook, 'usage.threshold_reached', data);
    }
  }
  return next;
}

/** A share of the quota, without the error that binary fractions add: 0.57 of 100 is 57, not 56.99999999999999. */
export function shareOf(quota: number, share: number): number {
  return Number((share * quota).toPrecision(15));
}

export function usageFacts(usage: number, threshold: number, quota: number, period: Period) {
  return {
    usage,
    threshold,
    quota,
    periodStart: timestamp(period.start),
    periodEnd: timestamp(period.end),
  };
}
