interface Platform {
  readonly process?: { nextTick?(callback: () => void): void };
  readonly setImmediate?: (callback: () => void) => unknown;
}

// Captured at import, so that an application's fake timers do not stop the simulation.
const { setTimeout } = globalThis;
const { process, setImmediate } = globalThis as Platform;
const nextTick = process?.nextTick?.bind(process);
const turn = setImmediate ?? ((callback: () => void) => setTimeout(callback, 0));

/** Resolves once nothing can continue without an event from outside. Node drains all promises before a tick. */
export function drained(): Promise<void> {
  return new Promise((resolve) => {
    if (nextTick) nextTick(resolve);
    else turn(resolve);
  });
}

/** Resolves after a turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    turn(resolve);
  });
}

/** Waits in wall time. */
export function wallPause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
