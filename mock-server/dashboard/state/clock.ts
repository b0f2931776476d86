import { signal } from '@preact/signals';

/** The server's time: it was `at` when this page's clock showed `read`. */
interface Reading {
  readonly at: number;
  readonly read: number;
  readonly mode: 'real' | 'manual';
}

export const reading = signal<Reading>({ at: Date.now(), read: Date.now(), mode: 'real' });

/** The server's time, updated every second while the server responds. */
export const serverNow = signal(Date.now());

/** True while the server's time is unknown. */
export const clockStopped = signal(false);

export function setServerTime(at: number, mode: 'real' | 'manual' = reading.peek().mode): void {
  clockStopped.value = false;
  reading.value = { at, read: Date.now(), mode };
  serverNow.value = currentTime();
}

export function stopClock(): void {
  clockStopped.value = true;
}

export function currentTime(): number {
  const { at, read, mode } = reading.peek();
  if (clockStopped.peek()) return serverNow.peek();
  return mode === 'manual' ? at : at + (Date.now() - read);
}

/**
 * Advances a manual clock to the time of the latest event. An event that arrives late is older than the time shown and
 * does not set it back.
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
