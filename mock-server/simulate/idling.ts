import type { Simulation } from './simulation.ts';

/** Timers due within this time can be polls; a later one is never skipped. */
const POLLS_MS = 60_000;
const FIRST_SKIP_MS = 15_000;

/**
 * Makes polls rarer while they find nothing. Once the same timers are due again and nothing has changed in between, the
 * clock moves further each time, as if the application had been slow, so that an hour of polls takes about ten.
 */
export function createIdling(simulation: Simulation) {
  let changes = -1;
  let seen = new Set<string>();
  let skipMs = 0;
  return {
    /** The time to move to instead of `next`, when the first timer is due; never later than `end`. */
    skipFrom(next: number, end: number): number {
      const { times, after } = simulation.steps.within(POLLS_MS);
      if (changes !== simulation.changes) {
        ({ changes } = simulation);
        seen = new Set();
        skipMs = 0;
      }
      if (!seen.has(times)) {
        seen.add(times);
        return next;
      }
      skipMs = skipMs * 2 || FIRST_SKIP_MS;
      return Math.max(next, Math.min(next + skipMs, after - 1, end));
    },
  };
}
