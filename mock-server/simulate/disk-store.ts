import type { Outcome } from './crash-points.ts';

/** A change that is not durable yet. Without a value, the key is deleted. */
export interface Write {
  readonly key: string;
  /** JSON text. */
  readonly value?: string;
}

/**
 * One instance's access to a disk: it decides when a call happens; once the instance has crashed, a call never settles.
 */
export interface DiskGate {
  /** Identifies the instance. */
  readonly owner: object;
  /**
   * Calls `work` when the call's turn has come, and resolves to its result. `work` returns undefined to be called again
   * later.
   */
  call<T>(what: string, work: () => Outcome<T> | undefined, detail?: string): Promise<T>;
  /** Calls `listener` when the instance crashes; returns a function that removes it. */
  onCrash(listener: () => void): () => void;
  /** How many of the writes that are not durable survive the crash. */
  surviving(count: number): number;
}

/** What a store reports about itself. */
export interface StoreEvents {
  /** A transaction has ended. */
  unpark(): void;
  /** A value is not what it was. */
  changed(): void;
}

/** One store, which all instances share. */
export class SharedStore {
  /** What a crash would leave. Only up to date while there are writes that are not durable. */
  #durable = new Map<string, string>();
  #view = new Map<string, string>();
  #unsynced: { readonly owner: object; readonly write: Write }[] = [];
  #locked: object | undefined;
  readonly #watched = new WeakSet<object>();
  readonly #events: StoreEvents;

  constructor(events: StoreEvents) {
    this.#events = events;
  }

  get(key: string): string | undefined {
    return this.#view.get(key);
  }

  keys(): IterableIterator<string> {
    return this.#view.keys();
  }

  /** Whether no transaction is open. */
  get isFree(): boolean {
    return this.#locked === undefined;
  }

  lock(token: object): void {
    this.#locked = token;
  }

  unlock(token: object): void {
    if (this.#locked !== token) return;
    this.#locked = undefined;
    this.#events.unpark();
  }

  /** Writes durably, together with everything written before. */
  commit(writes: readonly Write[]): void {
    for (const write of writes) this.#apply(write);
    this.sync();
  }

  sync(): void {
    this.#unsynced = [];
  }

  /** Writes without making the write durable: a crash of the owner can lose it. */
  writeUnsynced(gate: DiskGate, write: Write): void {
    if (this.#unsynced.length === 0) this.#durable = new Map(this.#view);
    this.#unsynced.push({ owner: gate.owner, write });
    this.#apply(write);
    if (this.#watched.has(gate.owner)) return;
    this.#watched.add(gate.owner);
    gate.onCrash(() => this.#lose(gate));
  }

  #apply(write: Write): void {
    if (this.#view.get(write.key) !== write.value) this.#events.changed();
    apply(this.#view, write);
  }

  /** Drops the writes of a crashed instance, except the first ones, as many as survive. Keeps those of other instances. */
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
