import type { Json } from '../domain/records.ts';

/** What one step of a transaction, or a call outside of one, can do. Values are JSON. */
export interface DiskOperations {
  get<T = Json>(key: string): Promise<T | undefined>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  /** In alphabetical order. */
  keys(prefix?: string): Promise<string[]>;
}

/** A key-value store that survives crashes. Every instance sees the same one, as a database would be. */
export interface DiskStore extends DiskOperations {
  /**
   * Runs `work` with exclusive access to writing: what it writes becomes visible as a whole, or, when it throws or the
   * instance crashes, not at all. Inside, use only `tx`: a write past it would wait for the transaction's own end.
   */
  transaction<T>(work: (tx: DiskOperations) => T | Promise<T>): Promise<T>;
  /** Makes every write so far durable. Only needed in a store opened with `sync: 'manual'`. */
  sync(): Promise<void>;
}

/** Options of a store. */
export interface DiskStoreOptions {
  /**
   * With `'manual'`, a crash can lose the latest writes that no `sync()` and no transaction has followed, as a file
   * system does. @default 'always'
   */
  readonly sync?: 'always' | 'manual';
}

/** The disk of a run. */
export interface Disk {
  open(name: string, options?: DiskStoreOptions): DiskStore;
}

/** A change that is not durable yet. Without a value, the key is deleted. */
export interface Write {
  readonly key: string;
  /** JSON text. */
  readonly value?: string;
}

/** One instance's access to a disk: when a call happens, and that it never settles once the instance has crashed. */
export interface DiskGate {
  /** Identifies the instance. */
  readonly owner: object;
  /** Resolves to what `work` returns when the call's turn has come. `work` returns undefined to be called again later. */
  call<T>(
    what: string,
    work: () => { readonly result: T } | undefined,
    detail?: string,
  ): Promise<T>;
  /** Calls `listener` when the instance crashes; returns a function that removes it. */
  onCrash(listener: () => void): () => void;
  /** How many of the writes that are not durable survive the crash. */
  surviving(count: number): number;
}

/** One store, as all instances share it. */
export class SharedStore {
  /** What a crash leaves, while there are writes that are not durable. */
  #durable = new Map<string, string>();
  #view = new Map<string, string>();
  #unsynced: { readonly owner: object; readonly write: Write }[] = [];
  #locked: object | undefined;
  readonly #watched = new WeakSet<object>();
  readonly #onFree: () => void;

  /** @param onFree - Called when a transaction has ended. */
  constructor(onFree: () => void) {
    this.#onFree = onFree;
  }

  get(key: string): string | undefined {
    return this.#view.get(key);
  }

  keys(): IterableIterator<string> {
    return this.#view.keys();
  }

  /** Whether nobody but the holder of `token` is in a transaction. */
  isFree(token?: object): boolean {
    return this.#locked === undefined || this.#locked === token;
  }

  lock(token: object): void {
    this.#locked = token;
  }

  unlock(token: object): void {
    if (this.#locked !== token) return;
    this.#locked = undefined;
    this.#onFree();
  }

  /** Writes durably, together with everything before. */
  commit(writes: readonly Write[]): void {
    for (const write of writes) apply(this.#view, write);
    this.sync();
  }

  sync(): void {
    this.#unsynced = [];
  }

  /** Writes what a crash of the owner can lose. */
  writeUnsynced(gate: DiskGate, write: Write): void {
    if (this.#unsynced.length === 0) this.#durable = new Map(this.#view);
    this.#unsynced.push({ owner: gate.owner, write });
    apply(this.#view, write);
    if (this.#watched.has(gate.owner)) return;
    this.#watched.add(gate.owner);
    gate.onCrash(() => this.#lose(gate));
  }

  /** Keeps the first writes of an instance that crashed, as many as survive, and everyone else's. */
  #lose({ owner, surviving }: DiskGate): void {
    const own = this.#unsynced.filter((entry) => entry.owner === owner);
    if (own.length === 0) return;
    const kept = new Set(own.slice(0, surviving(own.length)));
    this.#unsynced = this.#unsynced.filter((entry) => entry.owner !== owner || kept.has(entry));
    this.#view = new Map(this.#durable);
    for (const { write } of this.#unsynced) apply(this.#view, write);
  }
}

function apply(values: Map<string, string>, { key, value }: Write): void {
  if (value === undefined) values.delete(key);
  else values.set(key, value);
}

/** A store through the gate of one instance. */
export function openStore(
  name: string,
  store: SharedStore,
  gate: DiskGate,
  { sync = 'always' }: DiskStoreOptions,
): DiskStore {
  const write = (what: string, change: Write) =>
    gate.call(
      `${name}.${what}`,
      () => {
        if (!store.isFree()) return undefined;
        if (sync === 'always') store.commit([change]);
        else store.writeUnsynced(gate, change);
        return { result: undefined };
      },
      change.value,
    );
  return {
    ...readers(name, gate, store),
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

function readers(
  name: string,
  gate: DiskGate,
  values: { get(key: string): string | undefined; keys(): Iterable<string> },
): Pick<DiskOperations, 'get' | 'keys'> {
  return {
    get: <T>(key: string) =>
      gate.call(`${name}.get ${key}`, () => {
        const text = values.get(key);
        return { result: text === undefined ? undefined : (JSON.parse(text) as T) };
      }),
    keys: (prefix = '') =>
      gate.call(`${name}.keys ${prefix}`, () => ({
        result: [...values.keys()].filter((key) => key.startsWith(prefix)).sort(),
      })),
  };
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
  try {
    await gate.call(`${name}.begin`, () => {
      if (!store.isFree()) return undefined;
      store.lock(token);
      return { result: undefined };
    });
    const result = await work(transactionOperations(name, store, gate, writes));
    await gate.call(`${name}.commit`, () => {
      store.commit([...writes.values()]);
      unlock();
      return { result: undefined };
    });
    return result;
  } finally {
    stopListening();
    unlock();
  }
}

function transactionOperations(
  name: string,
  store: SharedStore,
  gate: DiskGate,
  writes: Map<string, Write>,
): DiskOperations {
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
    set: (key, value) => write(`set ${key}`, { key, value: toJson(key, value) }),
    delete: (key) => write(`delete ${key}`, { key }),
  };
}

function toJson(key: string, value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text !== undefined) return text;
  throw new TypeError(`Failed to write ${key}: the value is not JSON. To remove a key, delete it.`);
}
