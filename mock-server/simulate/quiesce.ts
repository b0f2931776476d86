interface Platform {
  readonly process?: {
    nextTick?(callback: () => void): void;
    once?(event: 'beforeExit', listener: () => void): unknown;
    off?(event: 'beforeExit', listener: () => void): unknown;
  };
  readonly setImmediate?: (callback: () => void) => unknown;
}

// Captured at import, so that an application's fake timers do not stop the simulation.
const { setTimeout } = globalThis;
const { process, setImmediate } = globalThis as Platform;
const nextTick = process?.nextTick?.bind(process);
const turn = setImmediate ?? ((callback: () => void) => setTimeout(callback, 0));

let usesTicks = false;

/** From now on, waits for the ticks of Node's streams too, which takes longer. */
export function awaitTurns(): void {
  usesTicks = true;
}

/** Resolves once nothing can continue without an event from outside. Node drains all promises before a tick. */
export function drained(): Promise<void> {
  return new Promise((resolve) => {
    if (nextTick && !usesTicks) nextTick(resolve);
    else turn(resolve);
  });
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    turn(resolve);
  });
}

/**
 * Waits for code of the application.
 *
 * @param what - Its name in the error.
 * @throws Error if it waits for something that never happens: the process would end as if nothing were wrong
 */
export function settledOrIdle<T>(pending: PromiseLike<T>, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const error = () => new Error(`\`${what}\` is waiting for something that never happens.`);
    // In a turn of its own, because the process asks again only after one.
    const idle = () => void turn(() => reject(error()));
    process?.once?.('beforeExit', idle);
    const stop = () => process?.off?.('beforeExit', idle);
    pending.then(
      (value) => {
        stop();
        resolve(value);
      },
      (error) => {
        stop();
        reject(error);
      },
    );
  });
}

export function wallPause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
