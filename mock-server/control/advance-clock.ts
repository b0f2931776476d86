import type { Scheduler } from '../domain/scheduler.ts';
import type { MovableClock } from './clock.ts';

/** Counted in ticks: while the machine stalls, nothing can end, so a stall of any length is one tick. */
const patienceTicks = 25;
const tickMs = 10;

/** Lets time pass on purpose. Calls queue up: two tests on one clock do not overtake one another. */
export interface Passage {
  /** Runs what is due now and what that makes due now; answers the clock. */
  settle(): Promise<number>;
  /** Moves the clock on, running each due thing at its own time; answers the clock. */
  advance(ms: number): Promise<number>;
}

/** Waits for one end, at most until `patience` is out; false when it is. */
async function oneEnds(scheduler: Scheduler, patience: Promise<false>): Promise<boolean> {
  return Promise.race([scheduler.nextEnd().then(() => true), patience]);
}

/** All that is due at this instant; what does not end within 250 ms of wall time stays in flight. */
async function step(scheduler: Scheduler): Promise<void> {
  scheduler.runDue();
  if (scheduler.inFlight === 0) return;
  let timer: ReturnType<typeof setInterval> | undefined;
  const patience = new Promise<false>((resolve) => {
    let left = patienceTicks;
    timer = setInterval(() => {
      left -= 1;
      if (left === 0) resolve(false);
    }, tickMs);
  });
  try {
    while (scheduler.inFlight > 0 && (await oneEnds(scheduler, patience))) scheduler.runDue();
  } finally {
    clearInterval(timer);
  }
}

/** `takeFailure` answers an error that a job threw since it was asked last. */
export function createPassage(
  scheduler: Scheduler,
  clock: MovableClock,
  takeFailure: () => { readonly error: unknown } | undefined,
): Passage {
  let last: Promise<unknown> = Promise.resolve();

  function queued(work: () => Promise<void>): Promise<number> {
    const turn = last.then(async () => {
      await work();
      const failure = takeFailure();
      if (failure) throw failure.error;
      return clock.now();
    });
    last = turn.catch(() => {});
    return turn;
  }

  return {
    settle: () => queued(() => step(scheduler)),
    advance: (ms) =>
      queued(async () => {
        const { lifetime } = scheduler;
        const target = clock.now() + ms;
        await step(scheduler);
        for (let next = scheduler.nextAt(); !lifetime.aborted; next = scheduler.nextAt()) {
          if (next === undefined || next > target) break;
          if (next > clock.now()) clock.moveTo(next);
          await step(scheduler);
        }
        if (!lifetime.aborted && target > clock.now()) clock.moveTo(target);
        scheduler.clockMoved();
      }),
  };
}
