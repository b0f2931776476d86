import { signal } from '@preact/signals';

/** The server's time: it was `at` when this page's clock showed `read`. */
interface Reading {
  readonly at: number;
  readonly read: number;
  readonly mode: 'real' | 'manual';
}

export const reading = signal<Reading>({ at: Date.now(), read: Date.now(), mode: 'real' });

/** The server's time, updated every second. */
export const serverNow = signal(Date.now());

export function setServerTime(at: number, mode: 'real' | 'manual' = reading.peek().mode): void {
  reading.value = { at, read: Date.now(), mode };
  serverNow.value = currentTime();
}

export function currentTime(): number {
  const { at, read, mode } = reading.peek();
  return mode === 'manual' ? at : at + (Date.now() - read);
}

/**
 * Advances a manual clock to the time of the latest event. An event that arrives late is older than the time shown
 * and does not turn it back.
 */
export function followManualClock(at: number): void {
  const { mode, at: shown } = reading.peek();
  if (mode === 'manual' && at > shown) setServerTime(at);
}

export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) serverNow.value = currentTime();
  }, 1000);
}
