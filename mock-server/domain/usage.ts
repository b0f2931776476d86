import type { Context } from './context.ts';
import { findOrganization } from './organizations.ts';
import { type Period, periodOf, usageId } from './periods.ts';
import type { Organization, UsagePeriod } from './records.ts';
import { type Rejection, reject } from './rejection.ts';
import { notifyThresholds } from './usage-thresholds.ts';

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
  const row = context.store.table('usage').get(usageId(id, period));
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
  const row = usage.get(usageId(id, period));
  const { quota } = organization;
  if (!row || (row.quietBelow?.quota === quota && used < row.quietBelow.used)) return;
  const next = notifyThresholds(context, organization, period, used);
  usage.put({ ...row, quietBelow: { used: next, quota } });
}

/** Counts a completed generation without notifying any registration. Returns the new usage. */
function addUsage(context: Context, id: string, tokens: number): UsageView {
  const view = usageOf(context, id);
  const { period } = view;
  const key = usageId(id, period);
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
