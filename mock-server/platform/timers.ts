import { onAbort } from '../domain/on-abort.ts';
import type { Clock, Ports } from '../domain/ports.ts';
import type { Scheduler } from '../domain/scheduler.ts';

/** The longest delay that a platform timer accepts. */
const MAX_DELAY_MS = 2_147_483_647;
/** Timers beyond this, such as the end of a month or a late retry, do not keep the process alive. */
const KEEP_ALIVE_MS = 10_000;

/**
 * Runs a scheduler in real time, with one platform timer for whatever falls due next. Returns a function that stops it.
 */
export function driveInRealTime(scheduler: Scheduler, clock: Clock): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let armedFor = Number.POSITIVE_INFINITY;
  let stopped = false;

  /** `at`: when a newly scheduled job is due; without it, the timer is set again from scratch. */
  function arm(at?: number): void {
    if (at === undefined) {
      // Whatever the timer was set for may be gone, and a timer for nothing would keep the process alive.
      clearTimeout(timer);
      armedFor = Number.POSITIVE_INFINITY;
    } else if (at >= armedFor) return;
    const next = scheduler.nextAt();
    if (stopped || next === undefined || next >= armedFor) return;
    clearTimeout(timer);
    armedFor = next;
    const delay = Math.min(Math.max(0, next - clock.now()), MAX_DELAY_MS);
    timer = setTimeout(run, delay);
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
    clearTimeout(timer);
  };
}

/** Waits in wall time; rejects with the reason of the first signal that aborts. */
export const pause: Ports['pause'] = (ms, ...signals) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stopListening();
      resolve();
    }, ms);
    const stopListening = onAbort(signals, () => {
      clearTimeout(timer);
      reject(signals.find(({ aborted }) => aborted)?.reason);
    });
  });
