import type { ErrorCode } from '../errors.ts';
import { longestTimerMs } from '../options/rules.ts';
import { clearTimer, elapsed, onAbort, setTimer, type Timer } from '../platform/driver.ts';
import type { Failure } from './failure.ts';

// A class, not a closure: V8 gives each object literal with getters its own hidden class, which doubles the cost of
// a call.

/** The time limit of a logical call or of one attempt. It also ends when the caller's signal aborts. */
export class Deadline {
  readonly #listeners = new Set<(failure: Failure) => void>();
  readonly #endsAt: number;
  readonly #cancelTimer: () => void;
  readonly #stopListening: () => void;
  #controller: AbortController | undefined;
  #failure: Failure | undefined;

  /** Ends with `code` after `ms`, with `aborted` when the caller's signal aborts, or when the deadline around it ends. */
  constructor(ms: number, code: ErrorCode, within?: AbortSignal | Deadline) {
    this.#endsAt = elapsed() + ms;
    this.#cancelTimer = startTimer(ms, () => this.end({ code, limitMs: ms }));
    this.#stopListening =
      within instanceof Deadline
        ? within.onEnd((failure) => this.#end(failure))
        : onCallerAbort(within, () => this.#end({ code: 'aborted', cause: within?.reason }));
    if (this.#failure) this.close();
  }

  /** Aborted when the deadline ends. Created on first use, because most calls never wait. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#failure) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /** Runs the listener when the deadline ends, or immediately if it already has. Returns a function that removes it. */
  onEnd(listener: (failure: Failure) => void): () => void {
    if (this.#failure) listener(this.#failure);
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get failure(): Failure | undefined {
    return this.#failure;
  }

  remaining(): number {
    return this.#endsAt - elapsed();
  }

  /** Ends it now. Only the first failure counts. */
  end(failure: Failure): void {
    this.close();
    this.#end(failure);
  }

  /** Removes the limit in time: only the signal or the deadline around it still counts. */
  stopTimer(): void {
    this.#cancelTimer();
  }

  close(): void {
    this.#cancelTimer();
    this.#stopListening();
  }

  #end(failure: Failure): void {
    if (this.#failure) return;
    this.#failure = failure;
    for (const listener of this.#listeners) listener(failure);
    this.#controller?.abort();
  }
}

interface SharedListener {
  readonly listeners: Set<() => void>;
  readonly stop: () => void;
}

const shared = new WeakMap<AbortSignal, SharedListener>();

/** `onAbort` for a signal of the caller: many calls share one listener, because Node 20 warns about more than ten. */
function onCallerAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (!signal || signal.aborted) return onAbort(signal, listener);
  let entry = shared.get(signal);
  if (!entry) {
    const listeners = new Set<() => void>();
    const stop = onAbort(signal, () => {
      for (const listener of listeners) listener();
    });
    entry = { listeners, stop };
    shared.set(signal, entry);
  }
  const { listeners, stop } = entry;
  listeners.add(listener);
  return () => {
    if (!listeners.delete(listener) || listeners.size > 0) return;
    stop();
    shared.delete(signal);
  };
}

/** Waits `ms`, or until the deadline ends. Never rejects. */
export async function sleep(ms: number, deadline: Deadline): Promise<void> {
  if (deadline.failure || ms <= 0) return;
  await new Promise<void>((resolve) => {
    const wake = () => {
      cancelTimer();
      stopListening();
      resolve();
    };
    const cancelTimer = startTimer(ms, wake);
    const stopListening = deadline.onEnd(wake);
  });
}

/**
 * Runs `callback` after `ms`, never for `Infinity`. The returned function cancels it.
 * Waits longer than a platform timer supports are chained.
 */
export function startTimer(ms: number, callback: () => void): () => void {
  if (ms === Infinity) return () => {};
  let timer: Timer | undefined;
  const start = (left: number) => {
    const rest = left - longestTimerMs;
    timer = rest > 0 ? setTimer(() => start(rest), longestTimerMs) : setTimer(callback, left);
  };
  start(ms);
  return () => clearTimer(timer);
}

/** Runs `callback` once `ms` have passed since the last `restart`. Restarting does not set a new timer. */
export function createIdleTimer(ms: number, callback: () => void) {
  let since = 0;
  let cancelTimer: (() => void) | undefined;
  const check = () => {
    const left = since + ms - elapsed();
    cancelTimer = left > 0 ? startTimer(left, check) : undefined;
    if (left <= 0) callback();
  };
  return {
    restart() {
      since = elapsed();
      cancelTimer ??= startTimer(ms, check);
    },
    cancel: () => cancelTimer?.(),
  };
}
