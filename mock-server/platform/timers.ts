import type { Clock, Ports } from '../domain/ports.ts';
import type { Scheduler } from '../domain/scheduler.ts';

// The longest delay that a platform timer takes.
const longestDelay = 2_147_483_647;
// A process waits for what is close; a month's end or a late retry must not keep it alive.
const holdsProcess = 10_000;

/**
 * Runs a scheduler as its clock passes in real time; answers what stops it.
 *
 * One platform timer is armed at a time, for whatever falls due next.
 */
export function driveInRealTime(scheduler: Scheduler, clock: Clock): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let armedFor = Number.POSITIVE_INFINITY;
  let stopped = false;

  /** For what was scheduled, which is no reason to look further when it comes later; else anew. */
  function arm(at?: number): void {
    if (at === undefined) armedFor = Number.POSITIVE_INFINITY;
    else if (at >= armedFor) return;
    const next = scheduler.nextAt();
    if (stopped || next === undefined || next >= armedFor) return;
    clearTimeout(timer);
    armedFor = next;
    const delay = Math.min(Math.max(0, next - clock.now()), longestDelay);
    timer = setTimeout(run, delay);
    if (delay > holdsProcess) unref(timer);
  }

  function run(): void {
    if (stopped) return;
    // What the run itself schedules is looked at once, after it.
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

/** Passes wall time; rejects with the signal's reason when it aborts. */
export const pause: Ports['pause'] = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });

/** Only Node's timers can be told not to hold the process. */
function unref(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer) {
    (timer as { unref(): void }).unref();
  }
}
