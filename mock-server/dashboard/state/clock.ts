import { signal } from '@preact/signals';

export const clockMode = signal<'real' | 'manual'>('real');

/** The server's time in ms, which goes on each second while a real clock is followed. */
export const serverNow = signal(Date.now());

/** How far a real clock of the server is ahead of this machine's. */
let ahead = 0;

export function setTime(time: string | number, mode = clockMode.peek()): void {
  clockMode.value = mode;
  serverNow.value = new Date(time).getTime();
  ahead = serverNow.peek() - Date.now();
}

/** Moves a manual clock to the time of what has just been logged. Late news does not set it back. */
export function followTime(at: string): void {
  if (clockMode.peek() === 'manual' && Date.parse(at) > serverNow.peek()) setTime(at);
}

export function startClock(): void {
  setInterval(() => {
    if (!document.hidden && clockMode.peek() === 'real') serverNow.value = Date.now() + ahead;
  }, 1000);
}
