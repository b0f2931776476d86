import type { Json } from '../domain/records.ts';
import type { DiskGate, SharedStore, Write } from './disk-store.ts';

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
  /** Makes every write so far durable. Needed only in a store opened with `sync: 'manual'`. */
  sync(): Promise<void>;
}

/** Options of a store. */
export interface DiskStoreOptions {
  /**
   * With `'manual'`, a crash can lose the writes made since the last `sync()` or transaction, as on a file system.
   * @default 'always'
   */
  readonly sync?: 'always' | 'manual';
}

/** The disk of a run. */
export interface Disk {
  /** Opens a store of values by its name. */
  open(name: string, options?: DiskStoreOptions): DiskStore;
}

/** A store through the gate of one instance. */
export function openStore(
  name: string,
  store: SharedStore,
  gate: DiskGate,
  { sync = 'always' }: DiskStoreOptions,
): DiskStore {
  const put = (change: Write) => {
    if (sync === 'always') store.commit([change]);
    else store.writeUnsynced(gate, change);
  };
  const write = (what: string, change: Write) =>
    gate.call(
      `${name}.${what}`,
      () => {
        if (!store.isFree()) return undefined;
        put(change);
        return { result: undefined };
      },
      change.value,
    );
  return {
    ...readers(name, gate, store),
    atomic: (what, work) =>
      gate.call(`${name}.${what}`, () =>
        store.isFree() ? { result: work(valuesOf(store, put)) } : undefined,
      ),
    set: (key, value) => write(`set ${key}`, { key, value: toJson(key, value) }),
    delete: (key) => write(`delete ${key}`, { key }),
    sync: () =>
      gate.call(`${name}.sync`, () => {
        store.sync();
        return { result: undefined };
      }),
    transaction: (work) => transact(name, store, gate, work),
  };
}

interface Texts {
  get(key: string): string | undefined;
  keys(): Iterable<string>;
}

function valuesOf(texts: Texts, put: (change: Write) => unknown): DiskValues {
  return {
    get: <T>(key: string) => parse<T>(texts.get(key)),
    set: (key, value) => void put({ key, value: toJson(key, value) }),
    delete: (key) => void put({ key }),
    keys: (prefix) => keysOf(texts, prefix),
  };
}

function readers(
  name: string,
  gate: Pick<DiskGate, 'call'>,
  texts: Texts,
): Pick<DiskOperations, 'get' | 'keys'> {
  return {
    get: <T>(key: string) =>
      gate.call(`${name}.get ${key}`, () => ({ result: parse<T>(texts.get(key)) })),
    keys: (prefix = '') =>
      gate.call(`${name}.keys ${prefix}`, () => ({ result: keysOf(texts, prefix) })),
  };
}

function parse<T>(text: string | undefined): T | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

function keysOf(texts: Texts, prefix = ''): string[] {
  return [...texts.keys()].filter((key) => key.startsWith(prefix)).sort();
}

async function transact<T>(
  name: string,
  store: SharedStore,
  gate: DiskGate,
  work: (tx: DiskOperations) => T | Promise<T>,
): Promise<T> {
  const token = {};
  const unlock = () => store.unlock(token);
  // Before the first call: the instance can crash as soon as it holds the lock.
  const stopListening = gate.onCrash(unlock);
  const writes = new Map<string, Write>();
  const transaction = { writes, hasEnded: false };
  try {
    await gate.call(`${name}.begin`, () => {
      if (!store.isFree()) return undefined;
      store.lock(token);
      return { result: undefined };
    });
    const result = await work(transactionOperations(name, store, gate, transaction));
    await gate.call(`${name}.commit`, () => {
      store.commit([...writes.values()]);
      transaction.hasEnded = true;
      unlock();
      return { result: undefined };
    });
    return result;
  } finally {
    transaction.hasEnded = true;
    stopListening();
    unlock();
  }
}

interface Transaction {
  readonly writes: Map<string, Write>;
  hasEnded: boolean;
}

function transactionOperations(
  name: string,
  store: SharedStore,
  storeGate: DiskGate,
  transaction: Transaction,
): DiskOperations {
  const { writes } = transaction;
  const gate: Pick<DiskGate, 'call'> = {
    call: (what, work, detail) => {
      const inTime = () => {
        if (!transaction.hasEnded) return work();
        throw new Error(`Failed to ${what}: the transaction has ended. Await every call of tx.`);
      };
      return storeGate.call(what, inTime, detail);
    },
  };
  const write = async (what: string, change: Write) =>
    gate.call(
      `${name}.tx.${what}`,
      () => {
        writes.set(change.key, change);
        return { result: undefined };
      },
      change.value,
    );
  const own = {
    get: (key: string) => (writes.has(key) ? writes.get(key)?.value : store.get(key)),
    keys() {
      const keys = new Set(store.keys());
      for (const { key, value } of writes.values()) {
        if (value === undefined) keys.delete(key);
        else keys.add(key);
      }
      return keys;
    },
  };
  return {
    ...readers(`${name}.tx`, gate, own),
    atomic: (what, work) =>
      gate.call(`${name}.tx.${what}`, () => ({
        result: work(valuesOf(own, (change) => writes.set(change.key, change))),
      })),
    set: (key, value) => write(`set ${key}`, { key, value: toJson(key, value) }),
    delete: (key) => write(`delete ${key}`, { key }),
  };
}

function toJson(key: string, value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text !== undefined) return text;
  throw new TypeError(`Failed to write ${key}: the value is not JSON. To remove a key, delete it.`);
}
