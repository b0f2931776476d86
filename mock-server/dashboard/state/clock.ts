import { signal } from '@preact/signals';

/** The server's time: it was `at` when this page's clock showed `read`. */
let reading: { readonly at: number; readonly read: number } = { at: Date.now(), read: Date.now() };

export const clockMode = signal<'real' | 'manual'>('real');

/** The server's time in ms, which goes on each second while a real clock is followed. */
export const serverNow = signal(Date.now());

export function setTime(time: string | number, mode = clockMode.peek()): void {
  clockMode.value = mode;
  reading = { at: new Date(time).getTime(), read: Date.now() };
  serverNow.value = reading.at;
}

/** Moves a manual clock to the time of what has just been logged. Late news does not set it back. */
export function followTime(at: string): void {
  if (clockMode.peek() === 'manual' && Date.parse(at) > reading.at) setTime(at);
}

export function startClock(): void {
  setInterval(() => {
    if (document.hidden || clockMode.peek() === 'manual') return;
    serverNow.value = reading.at + (Date.now() - reading.read);
  }, 1000);
}
