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
  const { organization, period, used: before, requests } = usageOf(context, id);
  const usage = context.store.table('usage');
  const key = usageId(id, period);
  const quietBelow = usage.get(key)?.quietBelow;
  const used = before + tokens;
  const row: UsagePeriod = {
    id: key,
    organization: id,
    periodStart: period.start,
    used,
    requests: requests + 1,
    quietBelow,
  };
  usage.put(row);
  if (requests === 0) context.scheduler.schedule('usage.period_end', key, period.end);
  const { quota } = organization;
  if (quietBelow?.quota === quota && used < quietBelow.used) return;
  const next = notifyThresholds(context, organization, period, used);
  usage.put({ ...row, quietBelow: { used: next, quota } });
}
