import type { Clock, Store } from '../domain/ports.ts';
import { assertArgument } from './control-error.ts';

/** RFC 3339 years have four digits, and the end of the current month must have one too. */
const LAST_INSTANT = Date.UTC(9999, 11, 1) - 1;
const OFFSET = 'clock:offset';
const MANUAL_TIME = 'clock:manual';
/** A date, or a date and time with its offset: without one, it would depend on the machine's time zone. */
const ISO = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** A clock that the control API can move. */
export interface MovableClock extends Clock {
  readonly mode: 'manual' | 'real';
  moveTo(at: number): void;
}

/** Moves only by `moveTo`. The store keeps its time across restarts. */
export function manualClock(store: Store, start: number): MovableClock {
  const counters = store.table('counters');
  let current = counters.get(MANUAL_TIME)?.value ?? start;
  const now = () => current;
  return {
    mode: 'manual',
    now,
    wall: now,
    moveTo(at) {
      current = at;
      counters.put({ id: MANUAL_TIME, value: at });
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

/** The time that a text means, in ms: RFC 3339, a date, or `'now'` for the wall clock; undefined for any other value. */
export function readInstant(text: unknown): number | undefined {
  if (text === 'now') return Date.now();
  const at = typeof text === 'string' && ISO.test(text) ? Date.parse(text) : Number.NaN;
  return at >= 0 && at <= LAST_INSTANT ? at : undefined;
}

/** Returns the time if a clock can be set to it. */
export function checkInstant(at: number): number {
  const message = 'Failed to move the clock: it can only be set between 1970 and November 9999.';
  assertArgument(at >= 0 && at <= LAST_INSTANT, message);
  return at;
}
