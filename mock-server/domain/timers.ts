import type { Clock } from './ports.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** Callbacks due at a time on the server's clock, in memory only. */
export interface Timers {
  /** The one that is due next. */
  readonly first: Timer | undefined;
  /** Returns the timer's due time and a function that cancels it. */
  add(ms: number, run: () => void): { readonly at: number; cancel(): void };
  shift(): Timer | undefined;
  clear(): void;
}

/** Keeps timers sorted. A new one usually goes last, so the search starts from there. */
export function createTimers(clock: Clock): Timers {
  const timers: Timer[] = [];
  return {
    get first() {
      return timers[0];
    },
    add(ms, run) {
      const timer = { at: clock.now() + ms, run };
      let index = timers.length;
      while (index > 0 && (timers[index - 1] as Timer).at > timer.at) index -= 1;
      timers.splice(index, 0, timer);
      return {
        at: timer.at,
        cancel() {
          const found = timers.indexOf(timer);
          if (found >= 0) timers.splice(found, 1);
        },
      };
    },
    shift: () => timers.shift(),
    clear() {
      timers.length = 0;
    },
  };
}
