import type { Context } from '../../domain/context.ts';
import { integerFrom, type OptionRules } from '../../domain/options.ts';
import { timestamp } from '../../domain/periods.ts';
import { assertArguments } from '../arguments.ts';
import { organizationRules } from '../organizations/organizations.ts';
import { isProblem, isRetrying } from './filter.ts';

/** What happened in one minute. */
export interface MinuteView {
  /** When it began, RFC 3339. */
  readonly at: string;
  /** How many succeeded. */
  readonly good: number;
  /** How many failed. */
  readonly bad: number;
}

/** Counts in total, and for each of the last minutes. */
export interface CountsView {
  /** The total over everything that the server keeps. */
  readonly total: number;
  /** How many of the total failed. */
  readonly bad: number;
  /** The last minutes, the current one last. */
  readonly minutes: readonly MinuteView[];
}

/** Counts over everything that the server keeps. */
export interface ActivityView {
  /** Requests; those with a status of 400 or above count as failed. */
  readonly requests: CountsView;
  /** Attempts to deliver. */
  readonly attempts: CountsView;
  /** Deliveries by status; `pending` includes `retrying`, which counts those that have failed at least once. */
  readonly deliveries: {
    readonly [Status in
      | 'total'
      | 'pending'
      | 'retrying'
      | 'delivered'
      | 'failed'
      | 'canceled']: number;
  };
}

/** What to count. */
export interface ActivityQuery {
  /**
   * Only what belongs to this organization.
   * @default all organizations
   */
  readonly organization?: string;
  /**
   * How many minutes to count individually, 1 to 240.
   * @default 30
   */
  readonly minutes?: number;
}

const rules: OptionRules<ActivityQuery> = {
  ...organizationRules,
  minutes: integerFrom(1, 240),
};

const MINUTE_MS = 60_000;
const EVERY_ROW = { limit: Number.POSITIVE_INFINITY };

/** Counts what happened, for an organization or for all. */
export function readActivity(context: Context, query: ActivityQuery = {}): ActivityView {
  assertArguments('Failed to count', query, rules);
  const { organization, minutes = 30 } = query;
  const now = context.ports.clock.now();
  const requests = createCounter(now, minutes);
  for (const row of context.logs.requests.oldest(EVERY_ROW)) {
    if ((row.organization ?? organization) !== organization && organization !== undefined) continue;
    requests.add(row.at, isProblem(row));
  }
  const attempts = createCounter(now, minutes);
  const deliveries = { total: 0, pending: 0, retrying: 0, delivered: 0, failed: 0, canceled: 0 };
  const owned = organization === undefined ? {} : { index: 'organization', key: organization };
  for (const row of context.store.table('deliveries').oldest({ ...EVERY_ROW, ...owned })) {
    deliveries.total += 1;
    deliveries[row.status] += 1;
    if (isRetrying(row)) deliveries.retrying += 1;
    for (const { at, error } of row.attempts) attempts.add(at, error !== undefined);
  }
  return { requests: requests.view(), attempts: attempts.view(), deliveries };
}

function createCounter(now: number, minutes: number) {
  const current = Math.floor(now / MINUTE_MS);
  const first = current - minutes + 1;
  const good = new Array<number>(minutes).fill(0);
  const bad = new Array<number>(minutes).fill(0);
  const totals = { total: 0, bad: 0 };
  return {
    add(at: number, failed: boolean): void {
      totals.total += 1;
      if (failed) totals.bad += 1;
      const index = Math.floor(at / MINUTE_MS) - first;
      if (index < 0 || index >= minutes) return;
      const counts = failed ? bad : good;
      counts[index] = (counts[index] ?? 0) + 1;
    },
    view: () => ({
      ...totals,
      minutes: good.map((count, index) => ({
        at: timestamp((first + index) * MINUTE_MS),
        good: count,
        bad: bad[index] ?? 0,
      })),
    }),
  };
}
