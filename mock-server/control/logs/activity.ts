import type { Context } from '../../domain/context.ts';
import { timestamp } from '../../domain/periods.ts';
import { isProblem } from './filter.ts';

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
}

const MINUTES = 30;
const MINUTE_MS = 60_000;

export function readActivity(context: Context): ActivityView {
  const current = Math.floor(context.ports.clock.now() / MINUTE_MS);
  const count = (happened: readonly { readonly at: number; readonly isBad: boolean }[]) =>
    Array.from({ length: MINUTES }, (_, index) => {
      const minute = current - MINUTES + 1 + index;
      const own = happened.filter(({ at }) => Math.floor(at / MINUTE_MS) === minute);
      const bad = own.filter(({ isBad }) => isBad).length;
      return { at: timestamp(minute * MINUTE_MS), good: own.length - bad, bad };
    });
  const requests = context.logs.requests.oldest();
  const deliveries = context.store.table('deliveries').oldest();
  return {
    requests: count(requests.map((row) => ({ at: row.at, isBad: isProblem(row) }))),
    attempts: count(
      deliveries.flatMap(({ attempts }) =>
        attempts.map(({ at, error }) => ({ at, isBad: error !== undefined })),
      ),
    ),
  };
}
