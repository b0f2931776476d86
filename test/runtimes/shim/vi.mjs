import { fn, restoreAllMocks, spyOn } from '@vitest/spy';

const { setTimeout } = globalThis;
const globals = new Map();
const variables = new Map();
let madeProcess = false;
let clock;

/** The part of `vi` that the suite uses, without module mocks. */
export const vi = {
  fn,
  spyOn,
  restoreAllMocks: () => chain(restoreAllMocks),

  stubGlobal(name, value) {
    if (!globals.has(name)) globals.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    // The edge runtime allows its globals to be assigned, but not redefined.
    if (globals.get(name)?.configurable === false) globalThis[name] = value;
    else Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    return vi;
  },
  unstubAllGlobals() {
    for (const [name, descriptor] of globals) {
      if (descriptor?.configurable === false) globalThis[name] = descriptor.value;
      else if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
    globals.clear();
    return vi;
  },

  /** Where there is no environment, the first variable creates one, and `unstubAllEnvs` removes it. */
  stubEnv(name, value) {
    if (!globalThis.process) {
      globalThis.process = { env: {} };
      madeProcess = true;
    }
    const { env } = globalThis.process;
    if (!variables.has(name)) variables.set(name, env[name]);
    set(env, name, value);
    return vi;
  },
  unstubAllEnvs() {
    for (const [name, value] of variables) set(globalThis.process.env, name, value);
    variables.clear();
    if (madeProcess) Reflect.deleteProperty(globalThis, 'process');
    madeProcess = false;
    return vi;
  },

  useFakeTimers(options = {}) {
    clock?.uninstall();
    // Loaded only when needed: it sets a timer while loading, which workerd allows only in a handler.
    const { withGlobal } = require('@sinonjs/fake-timers');
    clock = withGlobal(globalThis).install({
      now: Date.now(),
      ignoreMissingTimers: true,
      shouldClearNativeTimers: true,
      ...(options.toFake ? options : { ...options, toNotFake: ['nextTick', 'queueMicrotask'] }),
    });
    return vi;
  },
  useRealTimers() {
    clock?.uninstall();
    clock = undefined;
    return vi;
  },
  isFakeTimers: () => clock !== undefined,
  advanceTimersByTime: (ms) => chain(() => clock.tick(ms)),
  advanceTimersByTimeAsync: async (ms) => void (await clock.tickAsync(ms)),
  getTimerCount: () => clock.countTimers(),

  async waitFor(check, options = {}) {
    const { timeout = 1000, interval = 50 } =
      typeof options === 'number' ? { timeout: options } : options;
    for (let left = timeout; ; left -= interval) {
      try {
        return await check();
      } catch (error) {
        if (left <= 0) throw error;
      }
      clock?.tick(interval);
      await new Promise((resolve) => setTimeout(resolve, interval));
    }
  },
};

function chain(action) {
  action();
  return vi;
}

function set(env, name, value) {
  if (value === undefined) Reflect.deleteProperty(env, name);
  else env[name] = value;
}
