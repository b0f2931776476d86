import type { Work } from '../../domain/job-runner.ts';
import type { Clock } from '../../domain/ports.ts';
import type { Scheduler } from '../../domain/scheduler.ts';
import { type Interval, realTimers } from '../../real-timers.ts';
import { assertArgument } from '../arguments.ts';

/** RFC 3339 years have four digits, so the end of the current month must be in such a year too. */
const LAST_INSTANT = Date.UTC(9999, 11, 1) - 1;
/** A date, or a date and time with a UTC offset: without an offset, it would depend on the machine's time zone. */
const ISO = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

export interface MovableClock extends Clock {
  readonly mode: 'manual' | 'real';
  moveTo(at: number): void;
}

/**
 * The time that a string stands for, in ms: RFC 3339, a date, or `'now'` for the wall clock; undefined for any other
 * value.
 */
export function readInstant(text: unknown): number | undefined {
  if (text === 'now') return Date.now();
  const at =
    typeof text === 'string' && ISO.test(text) && isDay(text) ? Date.parse(text) : Number.NaN;
  return at >= 0 && at <= LAST_INSTANT ? at : undefined;
}

/** False for February 30, which `Date.parse` takes for March 2. */
const isDay = (text: string): boolean =>
  new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(text.slice(8, 10));

/** Returns the time; throws if a clock cannot be set to it. */
export function checkInstant(at: number): number {
  const message = 'Failed to move the clock: it can only be set between 1970 and November 9999.';
  assertArgument(at >= 0 && at <= LAST_INSTANT, message);
  return at;
}

const TICK_MS = 10;

export type AdvanceClock = ReturnType<typeof createAdvanceClock>;

export interface AdvanceClockParts {
  readonly scheduler: Scheduler;
  readonly clock: MovableClock;
  /** Milliseconds of wall time that one step waits for work in flight. */
  readonly patience: number;
  /** Removes and returns an error that a job threw since the last call. */
  readonly takeFailure: () => { readonly error: unknown } | undefined;
  /** Called with the work that a step no longer waits for. */
  readonly onGiveUp: (work: readonly Work[]) => void;
}

/** Moves time on request. Calls run one after the other, so two tests that share a clock cannot interfere. */
export function createAdvanceClock(parts: AdvanceClockParts) {
  const { scheduler, clock } = parts;
  /** Work that a step stopped waiting for. Later steps do not wait for it either. */
  const givenUp = new WeakSet<Work>();
  let last: Promise<unknown> = Promise.resolve();

  function enqueue(work: () => Promise<void>): Promise<number> {
    const turn = last.then(async () => {
      await work();
      const failure = parts.takeFailure();
      if (failure) throw failure.error;
      return clock.now();
    });
    last = turn.catch(() => {});
    return turn;
  }

  const awaited = (): Work[] => scheduler.working().filter((work) => !givenUp.has(work));

  /** Runs everything due at this instant. Work that takes longer than the patience stays in flight. */
  async function runStep(): Promise<void> {
    scheduler.runDue();
    if (awaited().length === 0) return;
    const { outOfPatience, stop } = startPatience(parts.patience);
    try {
      while (awaited().length > 0 && (await oneEnds(scheduler, outOfPatience))) scheduler.runDue();
    } finally {
      stop();
    }
    const left = awaited();
    if (left.length === 0) return;
    for (const work of left) givenUp.add(work);
    parts.onGiveUp(left);
  }

  /** Stops early when the state is replaced while it runs. */
  async function runUntil(target: number): Promise<void> {
    const { lifetime } = scheduler;
    await runStep();
    for (let next = scheduler.nextAt(); !lifetime.aborted; next = scheduler.nextAt()) {
      if (next === undefined || next > target) break;
      if (next > clock.now()) clock.moveTo(next);
      await runStep();
    }
    if (!lifetime.aborted && target > clock.now()) clock.moveTo(target);
    scheduler.clockMoved();
  }

  return {
    /** Runs everything that is due now, including what becomes due as a result; resolves to the clock's time. */
    settle: () => enqueue(runStep),
    /** Moves the clock forward and runs each due job at its own time; resolves to the clock's new time. */
    advance: (ms: number) => enqueue(() => runUntil(clock.now() + ms)),
  };
}

/** Counts in ticks, so that a stall of the machine uses up only one tick, no matter how long it lasts. */
function startPatience(ms: number) {
  let timer: Interval | undefined;
  const outOfPatience = new Promise<false>((resolve) => {
    let left = Math.ceil(ms / TICK_MS);
    timer = realTimers.setInterval(() => {
      left -= 1;
      if (left <= 0) resolve(false);
    }, TICK_MS);
  });
  return { outOfPatience, stop: () => realTimers.clearInterval(timer) };
}

/** Resolves to true when a job or task ends, to false when the patience runs out first. */
async function oneEnds(scheduler: Scheduler, outOfPatience: Promise<false>): Promise<boolean> {
  return Promise.race([scheduler.nextEnd().then(() => true), outOfPatience]);
}
