import { substitute } from './globals.ts';
import { frameOf, shownPath } from './stack-frame.ts';

/** How far the real clock is shifted for the application, so that two runs are certain to differ. */
const SHIFT_MS = 86_413_579;

const RUNNERS = /node_modules\/(?:@?vitest|vite|vite-node|jest|@jest|jest-[\w-]+)\//;

type Globals = Record<string, unknown> & { Date: DateConstructor };

/** The functions outside the simulation that an application called, with the place of the first call. */
export interface Watch {
  readonly used: readonly string[];
  stop(): void;
}

/**
 * Notes the use of platform functions that a simulation does not control. Time is shifted, so that a result that
 * depends on it differs from that of an unwatched run.
 *
 * @param isDriven - Whether `Date`, timers and `Math.random` are under the simulation: then only what escapes is noted.
 */
export function watchGlobals(isDriven = false): Watch {
  const globals = globalThis as unknown as Globals;
  const used = new Map<string, string>();
  const restore: (() => void)[] = [];

  function note(name: string): void {
    if (used.has(name)) return;
    used.set(name, '');
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 30;
    const { stack = '' } = new Error();
    Error.stackTraceLimit = stackTraceLimit;
    const place = placeOf(stack);
    used.delete(name);
    if (place === undefined || (place === '' && !name.startsWith('a '))) return;
    const real = name === REAL_TIMER ? nameOfTimer(stack) : name;
    if (place !== '' || real !== REAL_TIMER) used.set(real, place && ` (${place})`);
  }
  function replace(owner: object, key: string, make: (real: never) => unknown): void {
    const real = Reflect.get(owner, key);
    if (typeof real === 'function') restore.push(substitute(owner, key, make(real as never)));
  }
  const noted = (owner: object, key: string, name: string) =>
    replace(owner, key, (real: (...args: unknown[]) => unknown) => {
      return function (this: unknown, ...args: unknown[]) {
        note(name);
        return real.apply(this ?? owner, args);
      };
    });

  restore.push(watchIo(note));
  noted(crypto, 'getRandomValues', 'crypto.getRandomValues');
  noted(globals, 'fetch', 'fetch');
  if (!isDriven) {
    replace(globals, 'Date', (Real: DateConstructor) => watchedDate(Real, note));
    replace(performance, 'now', (real: () => number) => () => {
      note('performance.now');
      return real.call(performance) + SHIFT_MS;
    });
    noted(Math, 'random', 'Math.random');
    noted(crypto, 'randomUUID', 'crypto.randomUUID');
    for (const timer of ['setTimeout', 'setInterval', 'setImmediate']) noted(globals, timer, timer);
  }
  return {
    get used() {
      return [...used].map(([name, place]) => `${name}${place}`);
    },
    stop() {
      for (const undo of restore.reverse()) undo();
    },
  };
}

const REAL_TIMER = 'a real timer';

function nameOfTimer(stack: string): string {
  if (stack.includes('node:timers/promises')) return 'timers/promises';
  return /AbortSignal\.timeout|abort_controller/.test(stack) ? 'AbortSignal.timeout' : REAL_TIMER;
}

/** Kinds of input and output, by Node's names for async resources. */
const IO: Readonly<Record<string, string>> = {
  TCPCONNECTWRAP: 'a socket',
  PIPECONNECTWRAP: 'a socket',
  UDPSENDWRAP: 'a socket',
  FSREQCALLBACK: 'a file',
  FSREQPROMISE: 'a file',
  PROCESSWRAP: 'a process',
  GETADDRINFOREQWRAP: 'a DNS lookup',
  WORKER: 'a worker',
  MESSAGEPORT: 'MessageChannel',
  Timeout: REAL_TIMER,
};

interface AsyncHooks {
  createHook(callbacks: { init(id: number, type: string): void }): {
    enable(): void;
    disable(): void;
  };
}

/** Records the use of files and sockets, if the runtime reports them. Returns a function that stops it. */
function watchIo(note: (name: string) => void): () => void {
  const hooks = globalThis.process?.getBuiltinModule?.('node:async_hooks') as
    | AsyncHooks
    | undefined;
  const hook = hooks?.createHook({
    init(_, type) {
      const name = IO[type];
      if (name !== undefined) note(name);
    },
  });
  hook?.enable();
  return () => hook?.disable();
}

function watchedDate(Real: DateConstructor, note: (name: string) => void): DateConstructor {
  const now = (): number => {
    note('Date.now');
    return Real.now() + SHIFT_MS;
  };
  return new Proxy(Real, {
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
    construct(target, args, newTarget) {
      if (args.length > 0) return Reflect.construct(target, args, newTarget);
      note('new Date()');
      return Reflect.construct(target, [Real.now() + SHIFT_MS], newTarget);
    },
    apply(target) {
      note('Date()');
      return new target(Real.now() + SHIFT_MS).toString();
    },
  });
}

/** The folder of this package, whether it runs from its source or is built. */
const root = frameOf((new Error().stack ?? '').split('\n')[1] ?? '')?.file.split(
  /(?:mock-server|dist)\//,
  1,
)[0];
const isOwn = (file: string): boolean =>
  root !== undefined &&
  file.startsWith(root) &&
  /^(mock-server|src|dist)\//.test(file.slice(root.length));

/** Where the application made the call; empty if only the platform knows, undefined if this package or a test runner did. */
function placeOf(stack: string): string | undefined {
  const frames = stack.split('\n').flatMap((line) => frameOf(line) ?? []);
  // First, the functions of this file.
  const start = frames.findIndex(({ file }) => file !== frames[0]?.file);
  const callers = frames.slice(start).filter(({ file }) => !file.startsWith('node:'));
  const [caller] = callers;
  if (start >= 0 && !caller) return '';
  // A package is used by whoever calls it.
  const user = callers.find(({ file }) => !file.includes('/node_modules/') || isOwn(file));
  if (start < 0 || !caller || RUNNERS.test(caller.file) || (user && isOwn(user.file)))
    return undefined;
  return `${shownPath(caller.file)}:${caller.line}`;
}
