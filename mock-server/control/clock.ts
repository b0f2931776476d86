import type { Clock, Store } from '../domain/ports.ts';
import { ControlError } from './control-error.ts';

const MANUAL_START = Date.UTC(2026, 0, 1);
/** RFC 3339 has years of four digits, and the month's end has to be one. */
const LAST_INSTANT = Date.UTC(9999, 11, 1) - 1;

/** Throws unless the clock may stand there. */
export function checkInstant(at: number): number {
  if (at >= 0 && at <= LAST_INSTANT) return at;
  throw new ControlError('validation_failed', 'The clock goes from 1970 to November 9999.');
}

/** A clock that control may move. */
export interface MovableClock extends Clock {
  readonly mode: 'manual' | 'real';
  moveTo(at: number): void;
}

/** Moves by `moveTo` alone. */
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

const OFFSET = 'clock:offset';

/** Passes with the wall clock; how far it was moved survives a restart. */
export function realClock(store: Store): MovableClock {
  const table = store.table('counters');
  return {
    mode: 'real',
    now: () => Date.now() + (table.get(OFFSET)?.value ?? 0),
    wall: () => Date.now(),
    moveTo(at) {
      table.put({ id: OFFSET, value: at - Date.now() });
    },
  };
}
