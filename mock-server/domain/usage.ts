import type { Context } from './context.ts';
import { appendEvent } from './event-log.ts';
import { listenersOf, notify } from './notify.ts';
import { findOrganization } from './organizations.ts';
import { type Period, periodOf, timestamp } from './periods.ts';
import type { Organization, UsagePeriod } from './records.ts';
import { type Rejection, reject } from './rejection.ts';

const rowId = (organization: string, period: Period): string => `${organization}:${period.start}`;

export interface UsageView {
  readonly organization: Organization;
  readonly period: Period;
  readonly used: number;
  readonly requests: number;
}

/** What the organization used in the current month. */
export function usageOf(context: Context, id: string): UsageView {
  const organization = findOrganization(context, id);
  const period = periodOf(context.ports.clock.now());
  const row = context.store.table('usage').get(rowId(id, period));
  return { organization, period, used: row?.used ?? 0, requests: row?.requests ?? 0 };
}

/** Refuses what starts at or above the quota; what starts below may finish above it. */
export function refuseOverQuota(context: Context, id: string): Rejection | undefined {
  const { organization, period, used } = usageOf(context, id);
  if (used < organization.quota) return undefined;
  return reject('quota_exceeded', 'The monthly quota is used up. It starts anew with the month.', {
    resetsAt: period.end,
  });
}

/** Adds a completed generation and tells the registrations whose threshold is reached. */
export function countUsage(context: Context, id: string, tokens: number): void {
  const view = usageOf(context, id);
  const { period } = view;
  const row: UsagePeriod = {
    id: rowId(id, period),
    organization: id,
    periodStart: period.start,
    used: view.used + tokens,
    requests: view.requests + 1,
  };
  context.store.table('usage').put(row);
  if (view.requests === 0) context.scheduler.schedule('usage.period_end', row.id, period.end);
  tellThresholds(context, view.organization, period, row.used);
}

/** Each registration hears of its share and of the quota once per period; of a share of 1 once alone. */
function tellThresholds(
  context: Context,
  organization: Organization,
  period: Period,
  used: number,
) {
  const marks = context.store.table('thresholdMarks');
  const { id, quota } = organization;

  for (const webhook of listenersOf(context, id, 'usage_threshold')) {
    const share = webhook.threshold ?? 1;
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
}

/** A share of the quota, without the error that binary fractions add: 0.57 of 100 is 57, not 56.99999999999999. */
export function shareOf(quota: number, share: number): number {
  return Number((share * quota).toPrecision(15));
}

/** What a usage_threshold event says. */
export function usageFacts(usage: number, threshold: number, quota: number, period: Period) {
  return {
    usage,
    threshold,
    quota,
    periodStart: timestamp(period.start),
    periodEnd: timestamp(period.end),
  };
}
