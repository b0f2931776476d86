import { longestTimerMs } from '../options/rules.ts';
import { clearTimer, elapsed, setTimer, type Timer } from '../platform/driver.ts';

export const defaultStoreTimeoutMs = 4000;

/**
 * Waits for a call to a store, but no longer than `ms`. The call itself cannot be canceled: it can still take effect
 * later.
 */
export async function withinDeadline<T>(
  ms: number,
  call: () => T | Promise<T>,
  name = 'dedupe store',
): Promise<T> {
  const result = call();
  // A store in memory might not return a promise.
  if (typeof (result as Promise<T> | undefined)?.then !== 'function') return result;
  let timer: Timer | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const expire = () => reject(new Error(`The ${name} did not respond within ${ms} ms.`));
    timer = setTimer(expire, Math.min(ms, longestTimerMs));
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimer(timer);
  }
}

/** What is left of the time that one response may spend waiting for stores, in ms. */
export interface StoreTime {
  leftMs: number;
}

/** One step may take all of `storeTimeoutMs`; a second more is left for the steps after it. */
export const storeTimeOf = (storeTimeoutMs: number): StoreTime => ({
  leftMs: storeTimeoutMs + 1000,
});

/** Waits for a call to a store for at most `ms`, and never beyond the time of the response. */
export async function withinTime<T>(
  time: StoreTime,
  ms: number,
  call: () => T | Promise<T>,
  name?: string,
): Promise<T> {
  const start = elapsed();
  // Rounded, because the difference of two readings of a clock is not exact.
  try {
    return await withinDeadline(Math.max(1, Math.round(Math.min(ms, time.leftMs))), call, name);
  } finally {
    time.leftMs -= elapsed() - start;
  }
}

/** Tries every 5 s, or more often under a short lease, until the lease has expired. Does not keep the process alive. */
export async function retryInBackground(
  write: () => Promise<void>,
  leaseMs: number,
): Promise<void> {
  const end = elapsed() + leaseMs;
  const waitMs = Math.min(5000, leaseMs / 8);
  while (elapsed() < end) {
    await new Promise<void>((resolve) => {
      const timer = setTimer(resolve, waitMs);
      if (typeof timer === 'object') timer.unref?.();
    });
    try {
      return await write();
    } catch {}
  }
}
