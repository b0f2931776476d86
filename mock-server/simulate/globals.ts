import { createRandom, STREAMS } from './random.ts';
import type { Simulation } from './simulation.ts';
import { MissingPeerError } from './simulation-error.ts';

export type FakeTimers = Pick<typeof import('@sinonjs/fake-timers'), 'install'>;

interface Timer {
  callAt: number;
}

/** The platform's time and randomness, driven by a run. */
export interface DrivenGlobals {
  nextAt(): number | undefined;
  times(): number[];
  /** Makes the timers that are due earlier wait until then. */
  postpone(until: number): void;
  /** Runs one timer that is due. Returns whether there was one. */
  runDue(): boolean;
  /** Moves to the time of the run's clock, unless a timer is due before it. */
  follow(): void;
  restore(): void;
}

export async function loadFakeTimers(): Promise<FakeTimers> {
  try {
    const loaded = (await import('@sinonjs/fake-timers')) as FakeTimers & { default?: FakeTimers };
    return loaded.default ?? loaded;
  } catch (cause) {
    throw new MissingPeerError('globals: true', '@sinonjs/fake-timers', cause);
  }
}

/** Puts `Date`, timers, `Math.random` and `crypto.randomUUID` under the clock and the seed of a run. */
export function driveGlobals(
  simulation: Simulation,
  seed: number,
  { install }: FakeTimers,
): DrivenGlobals {
  const clock = install({
    now: simulation.now(),
    toFake: [
      'Date',
      'performance',
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'setImmediate',
      'clearImmediate',
    ],
  });
  const restoreRest = replaceRest(seed);
  const waiting = (): Timer[] => {
    const { timers } = clock as { timers?: ReadonlyMap<number, Timer> | Record<string, Timer> };
    // An object in versions before 15.
    return timers instanceof Map ? [...timers.values()] : Object.values(timers ?? {});
  };
  const times = () => waiting().map(({ callAt }) => callAt);
  const nextAt = (): number | undefined => {
    const all = times();
    return all.length === 0 ? undefined : Math.min(...all);
  };
  return {
    nextAt,
    times,
    postpone(until) {
      for (const timer of waiting()) timer.callAt = Math.max(timer.callAt, until);
    },
    runDue() {
      const next = nextAt();
      if (next === undefined || next > simulation.now()) return false;
      simulation.trace.minor('globals', 'timer');
      clock.next();
      return true;
    },
    follow() {
      const next = nextAt();
      const now = simulation.now();
      if (now > clock.now && (next === undefined || next > now)) clock.tick(now - clock.now);
    },
    restore() {
      // In reverse: the fake timers put their functions back into the objects that the modules had.
      restoreRest();
      clock.uninstall();
      syncModules();
    },
  };
}

const builtin = (name: string): unknown =>
  globalThis.process?.getBuiltinModule?.(name as 'node:module');

/** Named imports of Node's modules, such as `import { randomUUID } from 'node:crypto'`, become what the modules hold now. */
function syncModules(): void {
  const module = builtin('node:module') as { syncBuiltinESMExports?(): void } | undefined;
  module?.syncBuiltinESMExports?.();
}

/** Replaces randomness, and what modules export of the globals; the fake timers do so for theirs. */
function replaceRest(seed: number): () => void {
  const random = createRandom(seed, STREAMS.globals);
  const { performance } = globalThis;
  const replacements: readonly (readonly [owner: unknown, key: string, value: unknown])[] = [
    [Math, 'random', () => random()],
    [crypto, 'randomUUID', () => random.uuid()],
    [builtin('node:crypto'), 'randomUUID', () => crypto.randomUUID()],
    [builtin('node:perf_hooks'), 'performance', performance],
  ];
  const restore = replacements.map(([owner, key, value]) =>
    owner ? substitute(owner, key, value) : () => {},
  );
  syncModules();
  return () => {
    for (const put of restore.reverse()) put();
  };
}

/** Replaces a property, of a global for instance. Returns a function that puts the real one back. */
export function substitute(owner: object, key: string, value: unknown): () => void {
  const real = Object.getOwnPropertyDescriptor(owner, key);
  Object.defineProperty(owner, key, { value, writable: true, configurable: true });
  return () => {
    if (real) Object.defineProperty(owner, key, real);
    else Reflect.deleteProperty(owner, key);
  };
}
