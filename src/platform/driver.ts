/** The handle of a timer; Node's timers have `unref`. */
export type Timer = { unref?(): unknown } | number;

/** Time and randomness. `contentgen/simulate` replaces them while it runs an application. */
export interface Driver {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds on a monotonic clock. */
  elapsed(): number;
  setTimer(callback: () => void, ms: number): Timer;
  setRepeatingTimer(callback: () => void, ms: number): Timer;
  clearTimer(timer: Timer | undefined): void;
  /** In [0, 1). */
  random(): number;
  randomId(): string;
}

/** Global, because an application can load this library more than once. */
const KEY = Symbol.for('contentgen.driver');
type Global = { [KEY]?: Driver | undefined };

/** Replaces time and randomness in the whole library; `undefined` restores the real ones. */
export function drive(driver: Driver | undefined): void {
  (globalThis as Global)[KEY] = driver;
}

const driver = (): Driver | undefined => (globalThis as Global)[KEY];

export const isDriven = (): boolean => driver() !== undefined;

// Looked up at each call, so that a test's fake timers apply too.

export function now(): number {
  return driver()?.now() ?? Date.now();
}

export function elapsed(): number {
  return driver()?.elapsed() ?? performance.now() + aheadMs;
}

/**
 * How far timers are ahead of the clock. Some fake timers, such as those of Vitest 1 and 2, leave `performance.now` real: a
 * timer that has fired is believed, or what waits for a time would set the next timer for ever.
 */
let aheadMs = 0;

/** Timers of the platform can fire a little early. */
const EARLY_MS = 10;

function believe(time: number): void {
  const missing = time - elapsed();
  if (missing > EARLY_MS) aheadMs += missing;
}

export function setTimer(callback: () => void, ms: number): Timer {
  const current = driver();
  if (current) return current.setTimer(callback, ms);
  const end = elapsed() + ms;
  return setTimeout(() => {
    believe(end);
    callback();
  }, ms);
}

export function setRepeatingTimer(callback: () => void, ms: number): Timer {
  const current = driver();
  if (current) return current.setRepeatingTimer(callback, ms);
  let end = elapsed();
  return setInterval(() => {
    end += ms;
    believe(end);
    callback();
  }, ms);
}

/** Also stops a repeating timer. */
export function clearTimer(timer: Timer | undefined): void {
  const current = driver();
  if (current) current.clearTimer(timer);
  else clearTimeout(timer as ReturnType<typeof setTimeout> | undefined);
}

export function random(): number {
  return driver()?.random() ?? Math.random();
}

export function randomId(): string {
  return driver()?.randomId() ?? crypto.randomUUID();
}

/** `randomId` for runtimes without `randomUUID`, such as React Native and pages without HTTPS; some have nothing at all. */
export function randomKey(): string | undefined {
  const { crypto } = globalThis as { crypto?: Partial<Crypto> };
  return (
    driver()?.randomId() ??
    crypto?.randomUUID?.() ??
    crypto?.getRandomValues?.(new Uint32Array(4)).join('-')
  );
}

/** Runs the listener when the signal aborts, at once if it already has. The returned function stops listening. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted) listener();
  else signal?.addEventListener('abort', listener);
  return () => signal?.removeEventListener('abort', listener);
}
