import type { MovableClock } from '../control/clock/advance-clock.ts';
import { onAbort } from '../domain/listeners.ts';
import { longestTimerMs } from '../domain/options.ts';
import type { Clock, Ports, Store } from '../domain/ports.ts';
import type { Scheduler } from '../domain/scheduler.ts';
import { realTimers, type Timeout } from '../real-timers.ts';

const OFFSET = 'clock:offset';
const MANUAL_TIME = 'clock:manual';

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
    now: () => realTimers.now() + (counters.get(OFFSET)?.value ?? 0),
    wall: () => realTimers.now(),
    moveTo(at) {
      counters.put({ id: OFFSET, value: at - realTimers.now() });
    },
  };
}

/** Timers beyond this, such as the end of a month or a late retry, do not keep the process alive. */
const KEEP_ALIVE_MS = 10_000;

/**
 * Runs a scheduler in real time, with one platform timer for the next job that falls due. Returns a function that stops
 * it.
 */
export function driveInRealTime(scheduler: Scheduler, clock: Clock): () => void {
  let timer: Timeout | undefined;
  let armedFor = Number.POSITIVE_INFINITY;
  let stopped = false;

  /** `at`: when a newly scheduled job is due; without it, the timer is set again from scratch. */
  function arm(at?: number): void {
    if (at === undefined) {
      // The job that the timer was set for might be gone, and a useless timer would keep the process alive.
      realTimers.clearTimeout(timer);
      armedFor = Number.POSITIVE_INFINITY;
    } else if (at >= armedFor) return;
    const next = scheduler.nextAt();
    if (stopped || next === undefined || next >= armedFor) return;
    realTimers.clearTimeout(timer);
    armedFor = next;
    const delay = Math.min(Math.max(0, next - clock.now()), longestTimerMs);
    timer = realTimers.setTimeout(run, delay);
    // A browser's timer is a number and has no unref.
    if (delay > KEEP_ALIVE_MS) timer.unref?.();
  }

  function run(): void {
    if (stopped) return;
    // Ignores what is scheduled during the run; arm() looks at all of it afterwards.
    armedFor = Number.NEGATIVE_INFINITY;
    try {
      scheduler.runDue();
    } finally {
      arm();
    }
  }

  scheduler.onSchedule(arm);
  arm();
  return () => {
    stopped = true;
    realTimers.clearTimeout(timer);
  };
}

/** Waits in wall time; rejects with the reason of the first signal that aborts. */
export const pause: Ports['pause'] = (ms, ...signals) =>
  new Promise((resolve, reject) => {
    const timer = realTimers.setTimeout(() => {
      stopListening();
      resolve();
    }, ms);
    const stopListening = onAbort(signals, () => {
      realTimers.clearTimeout(timer);
      reject(signals.find(({ aborted }) => aborted)?.reason);
    });
  });
