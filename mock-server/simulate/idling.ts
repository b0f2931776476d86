import type { DrivenGlobals } from './globals.ts';
import type { Simulation } from './simulation.ts';

/** Timers due within this time can be polls; a later one is never skipped. */
const POLLS_MS = 60_000;
const FIRST_SKIP_MS = 15_000;
/** So that what a poll must find at some time, such as a lease that is over, is found soon after it. */
const LONGEST_SKIP_MS = 300_000;

/**
 * Makes polls rarer while they find nothing. Once the same timers are due again and nothing has changed in between, the
 * clock moves further each time, as if the application had been slow, so that an hour of polls takes about fifteen.
 */
export function createIdling(simulation: Simulation, globals: DrivenGlobals | undefined) {
  let changes = -1;
  let seen = new Set<string>();
  let skipMs = 0;
  return {
    /** The time to move to instead of `next`, when the first timer is due; never later than `end`. */
    skipFrom(next: number, end: number): number {
      if (changes !== simulation.changes) {
        ({ changes } = simulation);
        seen = new Set();
        skipMs = 0;
      }
      const now = simulation.now();
      const times = [...simulation.steps.times(), ...(globals?.times() ?? [])].sort(
        (a, b) => a - b,
      );
      const near = times.filter((at) => at <= now + POLLS_MS);
      const pattern = near.map((at) => at - now).join();
      if (!seen.has(pattern)) {
        seen.add(pattern);
        return next;
      }
      skipMs = Math.min(skipMs * 2 || FIRST_SKIP_MS, LONGEST_SKIP_MS);
      const until = Math.max(
        next,
        Math.min(next + skipMs, (times[near.length] ?? Infinity) - 1, end),
      );
      globals?.postpone(until);
      return until;
    },
  };
}
