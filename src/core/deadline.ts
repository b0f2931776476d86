import type { ErrorCode } from '../errors.ts';
import { clearTimer, elapsed, onAbort, setTimer, type Timer } from '../platform/driver.ts';
import type { Failure } from './failure.ts';

/** The longest delay that platform timers support (24.8 days). A longer one fires at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** The time limit of a logical call or of one attempt. It also ends when the caller's signal aborts. */
export interface Deadline {
  /** Aborted when the deadline ends. Created on first use, because most calls never wait. */
  readonly signal: AbortSignal;
  /** Why it ended; `undefined` until then. */
  readonly failure: Failure | undefined;
  /** Runs the listener when the deadline ends, or immediately if it already has. Returns a function that removes it. */
  onEnd(listener: (failure: Failure) => void): () => void;
  /** Milliseconds left. */
  remaining(): number;
  /** Ends it now. Only the first failure counts. */
  end(failure: Failure): void;
  /** Removes the timer and the listener. */
  close(): void;
}

/** Starts a deadline that ends with `code` after `ms`, or with `aborted` when `callerSignal` aborts. */
export function startDeadline(ms: number, code: ErrorCode, callerSignal?: AbortSignal): Deadline {
  const endsAt = elapsed() + ms;
  const listeners = new Set<(failure: Failure) => void>();
  let controller: AbortController | undefined;
  let failure: Failure | undefined;
  const settle = (reason: Failure) => {
    if (failure) return;
    failure = reason;
    for (const listener of listeners) listener(reason);
    controller?.abort();
  };
  const cancelTimer = startTimer(ms, () => end({ code }));
  const stopListening = onCallerAbort(callerSignal, () =>
    settle({ code: 'aborted', cause: callerSignal?.reason }),
  );
  const close = () => {
    cancelTimer();
    stopListening();
  };
  const end = (reason: Failure) => {
    close();
    settle(reason);
  };
  if (failure) close();
  return {
    get signal() {
      if (!controller) {
        controller = new AbortController();
        if (failure) controller.abort();
      }
      return controller.signal;
    },
    get failure() {
      return failure;
    },
    onEnd(listener) {
      if (failure) listener(failure);
      else listeners.add(listener);
      return () => listeners.delete(listener);
    },
    remaining: () => endsAt - elapsed(),
    end,
    close,
  };
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
  if (deadline.failure) return;
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
    const rest = left - MAX_TIMER_MS;
    timer = rest > 0 ? setTimer(() => start(rest), MAX_TIMER_MS) : setTimer(callback, left);
  };
  start(ms);
  return () => clearTimer(timer);
}

/** Runs `callback` once `ms` have passed since the last `restart`. Restarting or pausing does not set a new timer. */
export function createIdleTimer(ms: number, callback: () => void) {
  let since: number | undefined;
  let cancelTimer: (() => void) | undefined;
  const check = () => {
    cancelTimer = undefined;
    if (since === undefined) return;
    const left = since + ms - elapsed();
    if (left > 0) cancelTimer = startTimer(left, check);
    else callback();
  };
  return {
    restart() {
      since = elapsed();
      cancelTimer ??= startTimer(ms, check);
    },
    pause() {
      since = undefined;
    },
    cancel: () => cancelTimer?.(),
  };
}
