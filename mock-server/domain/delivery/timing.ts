import type { World } from '../world.ts';
import { attemptTimeout } from './schedule.ts';

/** Gives work until the attempt's deadline on the server's clock. */
export async function withDeadline<T>(
  world: World,
  signal: AbortSignal,
  work: (deadline: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const abort = () => deadline.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  const callOff = world.scheduler.after(attemptTimeout, abort);
  try {
    return await work(deadline.signal);
  } finally {
    callOff();
    signal.removeEventListener('abort', abort);
  }
}

/** Lets time pass on the server's clock; ends early when the signal aborts. */
export function elapse(world: World, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      callOff();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const callOff = world.scheduler.after(ms, end);
    signal.addEventListener('abort', end, { once: true });
  });
}
