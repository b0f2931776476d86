import type { Instance, Instances } from './instances.ts';
import { InstanceCrashedError } from './life.ts';
import type { Simulation } from './simulation.ts';

type Method = (this: unknown, ...args: unknown[]) => unknown;

/**
 * The running instance as `run` sees it: always the current one. A call that a crash interrupts rejects, as a call over
 * a broken connection would.
 */
export function handleOfApp<App>(simulation: Simulation, instances: Instances<App>): App {
  const current = (): Instance<App> | undefined => instances.any();

  function call(name: string, method: Method, instance: Instance<App>, args: unknown[]): unknown {
    const { life } = instance;
    const outer = simulation.current;
    simulation.current = life;
    simulation.trace.add('run', `${name}(${args.map(describe).join(', ')})`);
    let result: unknown;
    try {
      result = method.apply(instance.app, args);
    } finally {
      simulation.current = outer;
    }
    if (!isThenable(result)) return result;
    return new Promise((resolve, reject) => {
      const work = {};
      simulation.calls.add(work);
      const broken = () => {
        simulation.calls.delete(work);
        reject(new InstanceCrashedError(`${name}()`));
      };
      life.onEnd.add(broken);
      const later = (settle: () => void) => {
        life.onEnd.delete(broken);
        simulation.calls.delete(work);
        simulation.steps.add({ what: `${name}() returns`, run: settle });
      };
      result.then(
        (value) => later(() => resolve(value)),
        (error) => later(() => reject(error as Error)),
      );
    });
  }

  function get(_: object, key: string | symbol): unknown {
    const instance = current();
    if (!instance) {
      // `await` asks whether it is a promise.
      if (key === 'then') return undefined;
      return () => Promise.reject(new InstanceCrashedError(`the call of ${String(key)}()`));
    }
    const value = Reflect.get(Object(instance.app), key, instance.app);
    if (typeof value !== 'function' || simulation.observing) return value;
    return (...args: unknown[]) => call(String(key), value as Method, instance, args);
  }

  return new Proxy(Object.create(null), { get }) as App;
}

function isThenable(value: unknown): value is Promise<unknown> {
  return typeof (value as Partial<Promise<unknown>> | undefined)?.then === 'function';
}

function describe(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined || text.length > 40 ? '…' : text;
}
