import type { Driver, Timer } from '../../src/platform/driver.ts';
import type { Life } from './life.ts';
import type { SimulatedClock } from './options.ts';
import { createRandom, STREAMS } from './random.ts';
import type { Simulation } from './simulation.ts';

/** The clock of an instance. Its timers end with the instance, and do not wait for what their callbacks return. */
export function createClock(
  simulation: Simulation,
  life: Life | undefined,
  call: <T>(what: string, work: () => { readonly result: T }) => Promise<T>,
): SimulatedClock {
  const after = (ms: number, run: () => void, what = 'timer') =>
    simulation.after(Math.max(0, ms), { life, what, run: () => void run() });
  return {
    now: () => simulation.now() + (life?.skew ?? 0),
    sleep: (ms) =>
      new Promise((resolve) => {
        const wake = () => void call('wakes up', () => ({ result: undefined })).then(resolve);
        after(ms, wake, `sleeps for ${ms} ms`);
      }),
    after: (ms, callback) => after(ms, callback),
    every: (ms, callback) => repeat(ms, callback, after),
  };
}

function repeat(
  ms: number,
  callback: () => void,
  after: (ms: number, run: () => void) => () => void,
): () => void {
  let cancel = () => {};
  let isStopped = false;
  const start = () => {
    // A timer of 0 ms would keep the clock from moving.
    cancel = after(Math.max(1, ms), () => {
      if (isStopped) return;
      start();
      callback();
    });
  };
  start();
  return () => {
    isStopped = true;
    cancel();
  };
}

/** Time and randomness for this library's code in a run. A timer belongs to the instance whose code started it. */
export function createDriver(simulation: Simulation, seed: number): Driver {
  const random = createRandom(seed, STREAMS.library);
  const start = simulation.now();
  const after = (ms: number, run: () => void) => {
    const life = simulation.current;
    return simulation.after(Math.max(0, ms), { life, what: 'timer', run: () => void run() });
  };
  return {
    now: () => simulation.now() + (simulation.current?.skew ?? 0),
    elapsed: () => simulation.now() - start,
    setTimer: (callback, ms) => timerOf(after(ms, callback)),
    setRepeatingTimer: (callback, ms) => timerOf(repeat(ms, callback, after)),
    clearTimer: (timer) => (timer as Partial<SimulatedTimer> | undefined)?.cancel?.(),
    random,
    randomId: () => random.uuid(),
  };
}

interface SimulatedTimer {
  cancel(): void;
  unref(): void;
}

const timerOf = (cancel: () => void): Timer => ({ cancel, unref() {} }) as Timer & SimulatedTimer;
