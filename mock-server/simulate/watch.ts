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
 */
export function watchGlobals(): Watch {
  const globals = globalThis as unknown as Globals;
  const used = new Map<string, string>();
  const restore: (() => void)[] = [];

  function note(name: string): void {
    if (used.has(name)) return;
    used.set(name, '');
    const place = placeOf(new Error().stack);
    // During a run, a test runner loads modules and talks to its main process too.
    if (place !== undefined && RUNNERS.test(place)) used.delete(name);
    else used.set(name, place === undefined ? name : `${name} (${place})`);
  }
  function replace(owner: object, key: string, make: (real: never) => unknown): void {
    const real = Reflect.get(owner, key);
    if (typeof real !== 'function') return;
    const descriptor = Object.getOwnPropertyDescriptor(owner, key);
    const value = make(real as never);
    Object.defineProperty(owner, key, { value, writable: true, configurable: true });
    restore.push(() => {
      if (descriptor) Object.defineProperty(owner, key, descriptor);
      else Reflect.deleteProperty(owner, key);
    });
  }
  const noted = (owner: object, key: string, name: string) =>
    replace(owner, key, (real: (...args: unknown[]) => unknown) => {
      return function (this: unknown, ...args: unknown[]) {
        note(name);
        return real.apply(this ?? owner, args);
      };
    });

  restore.push(watchIo(note));
  replace(globals, 'Date', (Real: DateConstructor) => watchedDate(Real, note));
  replace(performance, 'now', (real: () => number) => () => {
    note('performance.now');
    return real.call(performance) + SHIFT_MS;
  });
  noted(Math, 'random', 'Math.random');
  noted(crypto, 'randomUUID', 'crypto.randomUUID');
  noted(crypto, 'getRandomValues', 'crypto.getRandomValues');
  for (const timer of ['setTimeout', 'setInterval', 'setImmediate', 'fetch']) {
    noted(globals, timer, timer);
  }
  return {
    get used() {
      return [...used.values()];
    },
    stop() {
      for (const undo of restore.reverse()) undo();
    },
  };
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

/** Where the application made the call: the first place outside this file. */
function placeOf(stack: string | undefined): string | undefined {
  const lines = stack?.split('\n').slice(1) ?? [];
  const line = lines.slice(2).find((text) => !/node:internal/.test(text));
  const frame = frameOf(line ?? '');
  return frame && `${shownPath(frame.file)}:${frame.line}`;
}
