import type { Context } from '../../domain/context.ts';
import { timestamp } from '../../domain/periods.ts';
import { isProblem, type LogFilter } from './filter.ts';
import { readRows } from './logs.ts';

/** What happened in one minute. */
export interface MinuteView {
  /** When it began, RFC 3339. */
  readonly at: string;
  /** How many succeeded. */
  readonly good: number;
  /** How many failed. */
  readonly bad: number;
}

/** The last half hour, minute by minute, the current one last. */
export interface ActivityView {
  /** Requests; a status of 400 or above is a failure. */
  readonly requests: readonly MinuteView[];
  /** Attempts to deliver. */
  readonly attempts: readonly MinuteView[];
}

const MINUTES = 30;
const MINUTE_MS = 60_000;

/** Counts what happened, for an organization or for all. */
export function readActivity(
  context: Context,
  query: Pick<LogFilter, 'organization'> = {},
): ActivityView {
  const current = Math.floor(context.ports.clock.now() / MINUTE_MS);
  const count = (happened: readonly { readonly at: number; readonly isBad: boolean }[]) =>
    Array.from({ length: MINUTES }, (_, index) => {
      const minute = current - MINUTES + 1 + index;
      const own = happened.filter(({ at }) => Math.floor(at / MINUTE_MS) === minute);
      const bad = own.filter(({ isBad }) => isBad).length;
      return { at: timestamp(minute * MINUTE_MS), good: own.length - bad, bad };
    });
  const requests = readRows(context, 'requests', query);
  const deliveries = readRows(context, 'deliveries', query);
  return {
    requests: count(requests.map((row) => ({ at: row.at, isBad: isProblem(row) }))),
    attempts: count(
      deliveries.flatMap(({ attempts }) =>
        attempts.map(({ at, error }) => ({ at, isBad: error !== undefined })),
      ),
    ),
  };
}
