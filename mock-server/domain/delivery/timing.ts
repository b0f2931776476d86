import type { Context } from '../context.ts';
import { Stop, type StopSignal } from '../stop.ts';
import { attemptTimeout } from './schedule.ts';

/** The time of one attempt. */
export interface Deadline {
  /** Stopped when the time is over, and with the work that the attempt belongs to. */
  readonly stop: Stop;
  /** The attempt has ended. */
  close(): void;
}

/** Starts an attempt's time, on the server's clock. */
export function openDeadline(context: Context, work: StopSignal): Deadline {
  const stop = new Stop();
  const abort = () => stop.abort();
  if (work.aborted) abort();
  work.addEventListener('abort', abort, { once: true });
  return { stop, close: context.scheduler.after(attemptTimeout, abort) };
}

/** Lets time pass on the server's clock; ends early when the work is stopped. */
export function elapse(context: Context, ms: number, work: StopSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      callOff();
      work.removeEventListener('abort', end);
      resolve();
    };
    const callOff = context.scheduler.after(ms, end);
    work.addEventListener('abort', end, { once: true });
  });
}
