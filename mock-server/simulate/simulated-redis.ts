import { redisScripts } from '../../src/webhooks/dedupe/redis-scripts.ts';
import type { DiskOperations, DiskValues } from './disk.ts';
import type { StandInOptions } from './simulated-postgres.ts';

interface Entry {
  readonly value: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** One key of Redis, in one step. */
interface Key {
  get(): string | undefined;
  /** Milliseconds until it expires. */
  left(): number;
  set(value: string, ms: string): void;
  delete(): void;
}

type Script = (key: Key, [first, ms]: readonly [string, string]) => number;

const SCRIPTS: Readonly<Record<string, Script>> = {
  [redisScripts.claim](key, [attempt, ms]) {
    const held = key.get();
    if (held === 'done') return -1;
    if (held !== undefined && held !== attempt) return Math.max(1, key.left());
    key.set(attempt, ms);
    return 0;
  },
  [redisScripts.renew](key, [attempt, ms]) {
    if (key.get() !== attempt) return 0;
    key.set(attempt, ms);
    return 1;
  },
  [redisScripts.complete](key, [, ms]) {
    key.set('done', ms);
    return 1;
  },
  [redisScripts.release](key, [attempt]) {
    if (key.get() !== attempt) return 0;
    key.delete();
    return 1;
  },
  [redisScripts.read]: (key) => Number(key.get() ?? -1),
  [redisScripts.raise](key, [time, ms]) {
    key.set(`${Math.max(Number(key.get() ?? -1), Number(time))}`, ms);
    return 1;
  },
};

/**
 * A client for `redisDedupe` over a store of the simulation's disk: every command is one step, in which an instance can
 * crash. It knows only the commands and scripts of `redisDedupe`.
 *
 * @example
 * const dedupe = redisDedupe(simulatedRedis(disk.open('redis'), { now: mock.clock.now }));
 */
export function simulatedRedis(store: DiskOperations, { now }: StandInOptions) {
  const keyIn = (values: DiskValues, name: string): Key => {
    const entry = () => {
      const found = values.get<Entry>(name);
      return found && found.until > now() ? found : undefined;
    };
    return {
      get: () => entry()?.value,
      left: () => (entry()?.until ?? 0) - now(),
      set: (value, ms) => values.set(name, { value, until: now() + Number(ms) }),
      delete: () => values.delete(name),
    };
  };
  return {
    /** Runs a command. */
    async send(command: string, args: readonly string[]): Promise<unknown> {
      if (command === 'SET') {
        const [name = '', value = '', , ms = '', option] = args;
        return store.atomic(`SET ${name}`, (values) => {
          const key = keyIn(values, name);
          if (option === 'NX' && key.get() !== undefined) return null;
          key.set(value, ms);
          return 'OK';
        });
      }
      if (command === 'PSETEX') {
        const [name = '', ms = '', value = ''] = args;
        return store.atomic(`PSETEX ${name}`, (values) => {
          keyIn(values, name).set(value, ms);
          return 'OK';
        });
      }
      const [text = '', , name = '', first = '', ms = ''] = args;
      const script = command === 'EVAL' ? SCRIPTS[text] : undefined;
      if (!script) throw new Error(`The stand-in for Redis does not know this ${command}.`);
      return store.atomic(`EVAL ${nameOf(text)} ${name}`, (values) =>
        script(keyIn(values, name), [first, ms]),
      );
    },
  };
}

function nameOf(text: string): string {
  return Object.entries(redisScripts).find(([, script]) => script === text)?.[0] ?? 'script';
}
