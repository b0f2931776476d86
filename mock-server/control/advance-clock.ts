import type { Scheduler } from '../domain/scheduler.ts';
import type { MovableClock } from './clock.ts';

/** How long one step waits for work in flight, in ticks: a stalled machine counts one tick, however long it stalls. */
const PATIENCE_TICKS = 25;
const TICK_MS = 10;

/** Moves time on request. Calls queue up, so two tests that share a clock cannot overtake each other. */
export interface AdvanceClock {
  /** Runs everything that is due now, including what becomes due as a result; resolves to the clock's time. */
  settle(): Promise<number>;
  /** Moves the clock forward and runs each due job at its own time; resolves to the clock's new time. */
  advance(ms: number): Promise<number>;
}

/** `takeFailure` removes and returns an error that a job threw since the last call. */
export function createAdvanceClock(
  scheduler: Scheduler,
  clock: MovableClock,
  takeFailure: () => { readonly error: unknown } | undefined,
): AdvanceClock {
  let last: Promise<unknown> = Promise.resolve();

  function enqueue(work: () => Promise<void>): Promise<number> {
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
    settle: () => enqueue(() => runStep(scheduler)),
    advance: (ms) => enqueue(() => runUntil(scheduler, clock, clock.now() + ms)),
  };
}

/** Stops early when the state is replaced while it runs. */
async function runUntil(scheduler: Scheduler, clock: MovableClock, target: number): Promise<void> {
  const { lifetime } = scheduler;
  await runStep(scheduler);
  for (let next = scheduler.nextAt(); !lifetime.aborted; next = scheduler.nextAt()) {
    if (next === undefined || next > target) break;
    if (next > clock.now()) clock.moveTo(next);
    await runStep(scheduler);
  }
  if (!lifetime.aborted && target > clock.now()) clock.moveTo(target);
  scheduler.clockMoved();
}

/** Runs everything due at this instant. Work that takes longer than 250 ms of wall time stays in flight. */
async function runStep(scheduler: Scheduler): Promise<void> {
  scheduler.runDue();
  if (scheduler.inFlight === 0) return;
  let timer: ReturnType<typeof setInterval> | undefined;
  const patience = new Promise<false>((resolve) => {
    let left = PATIENCE_TICKS;
    timer = setInterval(() => {
      left -= 1;
      if (left === 0) resolve(false);
    }, TICK_MS);
  });
  try {
    while (scheduler.inFlight > 0 && (await oneEnds(scheduler, patience))) scheduler.runDue();
  } finally {
    clearInterval(timer);
  }
}

/** Resolves to true when a job or task ends, to false when the patience runs out first. */
async function oneEnds(scheduler: Scheduler, patience: Promise<false>): Promise<boolean> {
  return Promise.race([scheduler.nextEnd().then(() => true), patience]);
}
