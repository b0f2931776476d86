/** Any of the functions below, with the marks that fake timers leave. */
type Found = ((...args: unknown[]) => unknown) & {
  /** Sinon, Vitest and Jest: the fake clock, which keeps each original under its name after an underscore. */
  readonly clock?: Readonly<Record<string, unknown>>;
  /** Jest's legacy fake timers. */
  readonly _isMockFunction?: boolean;
  /** `Date` of `node:test`. */
  readonly isMock?: boolean;
};

type Globals = Readonly<Record<string, Found | undefined>> & {
  /** Playwright's `page.clock`, which keeps all originals. */
  readonly __pwClock?: { readonly builtins?: Readonly<Record<string, unknown>> };
};

const faked: string[] = [];

/**
 * The platform's own function. If fake timers were installed before this module was loaded, it is the original that they
 * keep; where they keep none, it is the fake, and its name is noted.
 */
function original<Native>(name: string): Native {
  const { [name]: found, __pwClock: playwright } = globalThis as unknown as Globals;
  const kept = found?.clock?.[`_${name}`] ?? playwright?.builtins?.[name];
  if (kept !== undefined) return kept as never;
  const isFake =
    found?.clock ?? found?._isMockFunction ?? found?.isMock ?? found?.name === 'bound #createTimer';
  if (isFake) faked.push(name);
  return found as never;
}

const setTimeout = original<typeof globalThis.setTimeout>('setTimeout');
const clearTimeout = original<typeof globalThis.clearTimeout>('clearTimeout');
const setInterval = original<typeof globalThis.setInterval>('setInterval');
const clearInterval = original<typeof globalThis.clearInterval>('clearInterval');
const setImmediate = original<((callback: () => void) => void) | undefined>('setImmediate');
const RealDate = original<DateConstructor>('Date');

/**
 * The platform's timers and its clock, taken before a test can fake them: a mock on the real clock would otherwise stand
 * still together with the test. A browser's timers must be called without `this`.
 */
export const realTimers = {
  setTimeout: (callback: () => void, ms: number) => setTimeout(callback, ms),
  clearTimeout: (timer: Timeout | undefined) => clearTimeout(timer),
  setInterval: (callback: () => void, ms: number) => setInterval(callback, ms),
  clearInterval: (timer: Interval | undefined) => clearInterval(timer),
  /** At the end of this turn of the event loop. */
  endTurn: (callback: () => void): void =>
    void (setImmediate ? setImmediate(callback) : setTimeout(callback, 0)),
  now: (): number => RealDate.now(),
};

export type Timeout = ReturnType<typeof globalThis.setTimeout>;
export type Interval = ReturnType<typeof globalThis.setInterval>;

/** The mistake if fake timers were installed first, and keep no originals: nothing would ever be due. */
export function findFakedTimers(): string | undefined {
  if (faked.length === 0) return undefined;
  const names = faked.join(', ');
  return (
    `This mock follows the real clock, but ${names} had been faked before it was imported, so it stands still with the ` +
    "fake timers. Import contentgen/mock before you install them, or create the mock with clock: 'manual'."
  );
}
