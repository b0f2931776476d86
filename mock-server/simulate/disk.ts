import type { Json } from '../domain/records.ts';
import type { DiskGate, SharedStore } from './disk-store.ts';

/** The operations on a store, inside or outside a transaction. Values are JSON. */
export interface DiskOperations {
  /** Returns a value; `undefined` if the key has none. */
  get<T = Json>(key: string): Promise<T | undefined>;
  /** Writes a value. */
  set(key: string, value: unknown): Promise<void>;
  /** Deletes a value. */
  delete(key: string): Promise<void>;
  /** Returns the keys that start with `prefix`, in alphabetical order. */
  keys(prefix?: string): Promise<string[]>;
  /** Runs `work` as one indivisible step, like a statement of a database. It must not be asynchronous. */
  atomic<T>(what: string, work: (values: DiskValues) => T): Promise<T>;
}

/** What an indivisible step reads and writes. */
export interface DiskValues {
  /** Returns a value; `undefined` if the key has none. */
  get<T = Json>(key: string): T | undefined;
  /** Writes a value. */
  set(key: string, value: unknown): void;
  /** Deletes a value. */
  delete(key: string): void;
  /** Returns the keys that start with `prefix`, in alphabetical order. */
  keys(prefix?: string): string[];
}

/** A key-value store that survives crashes. Every instance sees the same one, like a database. */
export interface DiskStore extends DiskOperations {
  /**
   * Runs `work` as the only writer. Its writes become visible all at once, or not at all if it throws or the instance
   * crashes. Inside, use only `tx`: any other write would wait for the end of the transaction.
   */
  transaction<T>(work: (tx: DiskOperations) => T | Promise<T>): Promise<T>;
}

/** The disk of a run. */
export interface Disk {
  /** Opens a store of values by its name. */
  open(name: string): DiskStore;
}

export function openStore(name: string, store: SharedStore, gate: DiskGate): DiskStore {
  const call: Call = (what, work, detail) =>
    gate.call(`${name}.${what}`, () => ({ result: work() }), detail);
  const callWhenFree: Call = (what, work, detail) =>
    gate.call(`${name}.${what}`, () => (store.isFree ? { result: work() } : undefined), detail);

  async function transaction<T>(work: (tx: DiskOperations) => T | Promise<T>): Promise<T> {
    const token = {};
    const writes = new Map<string, string | undefined>();
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
      store.unlock(token);
    };
    // Before the first call: the instance can crash as soon as it holds the lock.
    const stopListening = gate.onCrash(() => store.unlock(token));
    const callInTime: Call = (what, body, detail) =>
      call(
        `tx.${what}`,
        () => {
          if (!hasEnded) return body();
          const message = `Failed to ${name}.tx.${what}: the transaction has ended. Await every call of tx.`;
          throw new Error(message);
        },
        detail,
      );
    const own = operationsOf(viewOf(store, writes), callInTime, callInTime, (key, value) =>
      writes.set(key, value),
    );
    try {
      await callWhenFree('begin', () => store.lock(token));
      const result = await work(own);
      await call('commit', () => {
        for (const [key, value] of writes) store.write(key, value);
        end();
      });
      return result;
    } finally {
      stopListening();
      end();
    }
  }

  return {
    ...operationsOf(store, call, callWhenFree, (key, value) => store.write(key, value)),
    transaction,
  };
}

/** Makes a call of a store when its turn has come. */
type Call = <T>(what: string, work: () => T, detail?: string) => Promise<T>;

interface Texts {
  get(key: string): string | undefined;
  keys(): Iterable<string>;
}

/** The operations on `texts`, whose writes go to `put`. */
function operationsOf(
  texts: Texts,
  read: Call,
  change: Call,
  put: (key: string, value?: string) => unknown,
): DiskOperations {
  const values: DiskValues = {
    get: <T>(key: string) => {
      const text = texts.get(key);
      return text === undefined ? undefined : (JSON.parse(text) as T);
    },
    set: (key, value) => void put(key, toJson(key, value)),
    delete: (key) => void put(key),
    keys: (prefix = '') => [...texts.keys()].filter((key) => key.startsWith(prefix)).sort(),
  };
  return {
    get: <T>(key: string) => read(`get ${key}`, () => values.get<T>(key)),
    keys: (prefix = '') => read(`keys ${prefix}`, () => values.keys(prefix)),
    atomic: (what, work) => change(what, () => work(values)),
    set(key, value) {
      const text = toJson(key, value);
      return change(`set ${key}`, () => void put(key, text), text);
    },
    delete: (key) => change(`delete ${key}`, () => values.delete(key)),
  };
}

/** What a transaction sees: the store with its own writes. */
function viewOf(store: Texts, writes: ReadonlyMap<string, string | undefined>): Texts {
  return {
    get: (key) => (writes.has(key) ? writes.get(key) : store.get(key)),
    keys() {
      const keys = new Set(store.keys());
      for (const [key, value] of writes) {
        if (value === undefined) keys.delete(key);
        else keys.add(key);
      }
      return keys;
    },
  };
}

function toJson(key: string, value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text !== undefined) return text;
  throw new TypeError(`Failed to write ${key}: the value is not JSON. To remove a key, delete it.`);
}
