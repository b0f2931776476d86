import type { Context } from './context.ts';
import { notify, subscribersOf } from './deliveries.ts';
import { appendEvent } from './event-log.ts';
import { findOrganization } from './organizations.ts';
import { type Period, periodOf, timestamp } from './periods.ts';
import type { Organization, UsagePeriod, Webhook } from './records.ts';
import { type Rejection, reject } from './rejection.ts';

const rowId = (organization: string, period: Period): string => `${organization}:${period.start}`;

export interface UsageView {
  readonly organization: Organization;
  readonly period: Period;
  readonly used: number;
  readonly requests: number;
}

/** The organization's usage in the current month. */
export function usageOf(context: Context, id: string): UsageView {
  const organization = findOrganization(context, id);
  const period = periodOf(context.ports.clock.now());
  const row = context.store.table('usage').get(rowId(id, period));
  return { organization, period, used: row?.used ?? 0, requests: row?.requests ?? 0 };
}

/** Rejects a generation that starts at or above the quota. One that starts below can finish above it. */
export function rejectOverQuota(context: Context, id: string): Rejection | undefined {
  const { organization, period, used } = usageOf(context, id);
  if (used < organization.quota) return undefined;
  return reject(
    'quota_exceeded',
    'The monthly quota is used up. It resets at the start of the next month.',
    {
      resetsAt: period.end,
    },
  );
}

/** Counts a completed generation and notifies the registrations whose threshold it reaches. */
export function countUsage(context: Context, id: string, tokens: number): void {
  const { organization, period, used } = addUsage(context, id, tokens);
  const usage = context.store.table('usage');
  const row = usage.get(rowId(id, period));
  const { quota } = organization;
  if (!row || (row.quietBelow?.quota === quota && used < row.quietBelow.used)) return;
  const next = notifyThresholds(context, organization, period, used);
  usage.put({ ...row, quietBelow: { used: next, quota } });
}

/** Call it when a registration begins to receive events, or its threshold changes: the next generation looks at all. */
export function thresholdsChanged(context: Context, { organization, event }: Webhook): void {
  if (event !== 'usage_threshold') return;
  const usage = context.store.table('usage');
  const row = usage.get(rowId(organization, periodOf(context.ports.clock.now())));
  if (!row?.quietBelow) return;
  const { quietBelow: _, ...others } = row;
  usage.put(others);
}

/** Counts a completed generation without notifying any registration. Returns the new usage. */
export function addUsage(context: Context, id: string, tokens: number): UsageView {
  const view = usageOf(context, id);
  const { period } = view;
  const key = rowId(id, period);
  const { quietBelow } = context.store.table('usage').get(key) ?? {};
  const row: UsagePeriod = {
    id: key,
    organization: id,
    periodStart: period.start,
    used: view.used + tokens,
    requests: view.requests + 1,
    ...(quietBelow && { quietBelow }),
  };
  context.store.table('usage').put(row);
  if (view.requests === 0) context.scheduler.schedule('usage.period_end', row.id, period.end);
  return { ...view, used: row.used, requests: row.requests };
}

/**
 * Notifies each registration at most twice per period: when its share is reached, and when the quota is. With a share of
 * 1, that is one event. Returns the next usage that notifies one, as far as is known now.
 */
function notifyThresholds(
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
    if (used < shareOf(quota, share)) next = Math.min(next, shareOf(quota, share));
    const reached = [
      ...(share < 1 && used >= shareOf(quota, share)
        ? [{ name: 'share', threshold: Math.floor(shareOf(quota, share)) }]
        : []),
      ...(used >= quota ? [{ name: 'quota', threshold: quota }] : []),
    ];
    for (const { name, threshold } of reached) {
      const mark = `${webhook.id}:${period.start}:${name}`;
      if (marks.get(mark)) continue;
      marks.put({ id: mark, at: context.ports.clock.now() });
      notify(context, webhook, 'usage_threshold', usageFacts(used, threshold, quota, period));
      appendEvent(context, {
        type: 'usage.threshold_reached',
        organization: id,
        project: webhook.project,
        subject: webhook.id,
        data: { usage: used, threshold },
      });
    }
  }
  return next;
}

/** A share of the quota, without the error that binary fractions add: 0.57 of 100 is 57, not 56.99999999999999. */
export function shareOf(quota: number, share: number): number {
  return Number((share * quota).toPrecision(15));
}

/** The payload of a `usage_threshold` event. */
export function usageFacts(usage: number, threshold: number, quota: number, period: Period) {
  return {
    usage,
    threshold,
    quota,
    periodStart: timestamp(period.start),
    periodEnd: timestamp(period.end),
  };
}
