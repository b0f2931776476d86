import type { Clock, Store } from '../domain/ports.ts';
import { assertArgument } from './control-error.ts';

const MANUAL_START = Date.UTC(2026, 0, 1);
/** RFC 3339 years have four digits, and the end of the current month must have one too. */
const LAST_INSTANT = Date.UTC(9999, 11, 1) - 1;
const OFFSET = 'clock:offset';

/** A clock that the control API can move. */
export interface MovableClock extends Clock {
  readonly mode: 'manual' | 'real';
  moveTo(at: number): void;
}

/** Moves only by `moveTo`. */
export function manualClock(): MovableClock {
  let current = MANUAL_START;
  const now = () => current;
  return {
    mode: 'manual',
    now,
    wall: now,
    moveTo(at) {
      current = at;
    },
  };
}

/** Follows the wall clock at an offset, which the store keeps across restarts. */
export function realClock(store: Store): MovableClock {
  const counters = store.table('counters');
  return {
    mode: 'real',
    now: () => Date.now() + (counters.get(OFFSET)?.value ?? 0),
    wall: () => Date.now(),
    moveTo(at) {
      counters.put({ id: OFFSET, value: at - Date.now() });
    },
  };
}

/** Returns the time if a clock can be set to it. */
export function checkInstant(at: number): number {
  const message = 'Failed to move the clock: it can only be set between 1970 and November 9999.';
  assertArgument(at >= 0 && at <= LAST_INSTANT, message);
  return at;
}
