import type { Context } from '../../domain/context.ts';
import { timestamp } from '../../domain/periods.ts';
import { isDeliveryStatus, isProblem, type LogFilter } from './filter.ts';
import { readRows } from './logs.ts';

/** How many succeeded and failed in the minute that began `at`. */
export interface MinuteView {
  readonly at: string;
  readonly good: number;
  readonly bad: number;
}

/** Requests, and attempts to deliver, of the last half hour, the current minute last. */
export interface ActivityView {
  readonly requests: readonly MinuteView[];
  readonly attempts: readonly MinuteView[];
  /** Over everything that the server keeps. */
  readonly totals: {
    readonly [Name in
      | 'requests'
      | 'problems'
      | 'deliveries'
      | 'delivered'
      | 'retrying'
      | 'failed']: number;
  };
}

const MINUTES = 30;
const MINUTE_MS = 60_000;

export function readActivity(
  context: Context,
  query: Pick<LogFilter, 'organization'> = {},
): ActivityView {
  const now = context.ports.clock.now();
  const current = Math.floor(now / MINUTE_MS);
  const count = (happened: readonly { readonly at: number; readonly isBad: boolean }[]) =>
    Array.from({ length: MINUTES }, (_, index) => {
      const minute = current - MINUTES + 1 + index;
      const own = happened.filter(({ at }) => Math.floor(at / MINUTE_MS) === minute);
      const bad = own.filter(({ isBad }) => isBad).length;
      return { at: timestamp(minute * MINUTE_MS), good: own.length - bad, bad };
    });
  const requests = readRows(context, 'requests', query);
  const deliveries = readRows(context, 'deliveries', query);
  const withStatus = (status: string) =>
    deliveries.filter((row) => isDeliveryStatus(row, status, now)).length;
  return {
    totals: {
      requests: requests.length,
      problems: requests.filter(isProblem).length,
      deliveries: deliveries.length,
      delivered: withStatus('delivered'),
      retrying: withStatus('retrying'),
      failed: withStatus('failed'),
    },
    requests: count(requests.map((row) => ({ at: row.at, isBad: isProblem(row) }))),
    attempts: count(
      deliveries.flatMap(({ attempts }) =>
        attempts.map(({ at, error }) => ({ at, isBad: error !== undefined })),
      ),
    ),
  };
}
