import type { Work } from '../domain/job-runner.ts';
import type { Scheduler } from '../domain/scheduler.ts';
import type { MovableClock } from './clock.ts';

const TICK_MS = 10;

/** Moves time on request. Calls queue up, so two tests that share a clock cannot overtake each other. */
export interface AdvanceClock {
  /** Runs everything that is due now, including what becomes due as a result; resolves to the clock's time. */
  settle(): Promise<number>;
  /** Moves the clock forward and runs each due job at its own time; resolves to the clock's new time. */
  advanceTo(at: () => number): Promise<number>;
}

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

export function createAdvanceClock(parts: AdvanceClockParts): AdvanceClock {
  const { scheduler, clock } = parts;
  /** Work that has used up its patience. Later steps do not wait for it again. */
  const given = new WeakSet<Work>();
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

  const awaited = (): Work[] => scheduler.working().filter((work) => !given.has(work));

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
    for (const work of left) given.add(work);
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
    settle: () => enqueue(runStep),
    advanceTo: (at) => enqueue(() => runUntil(at())),
  };
}

/** Counts in ticks: a stalled machine counts one tick, however long it stalls. */
function startPatience(ms: number) {
  let timer: ReturnType<typeof setInterval> | undefined;
  const outOfPatience = new Promise<false>((resolve) => {
    let left = Math.ceil(ms / TICK_MS);
    timer = setInterval(() => {
      left -= 1;
      if (left <= 0) resolve(false);
    }, TICK_MS);
  });
  return { outOfPatience, stop: () => clearInterval(timer) };
}

/** Resolves to true when a job or task ends, to false when the patience runs out first. */
async function oneEnds(scheduler: Scheduler, outOfPatience: Promise<false>): Promise<boolean> {
  return Promise.race([scheduler.nextEnd().then(() => true), outOfPatience]);
}
