import type { Outcome } from './crash-points.ts';
import type { Simulation } from './simulation.ts';

/**
 * One instance's access to a disk: it decides when a call happens; once the instance has crashed, a call never settles.
 */
export interface DiskGate {
  /**
   * Calls `work` when the call's turn has come, and resolves to its result. `work` returns undefined to be called again
   * later.
   */
  call<T>(what: string, work: () => Outcome<T> | undefined, detail?: string): Promise<T>;
  /** Calls `listener` when the instance crashes; returns a function that removes it. */
  onCrash(listener: () => void): () => void;
}

export class SharedStore {
  readonly #values = new Map<string, string>();
  #locked: object | undefined;
  readonly #events: Pick<Simulation, 'unpark' | 'changed'>;

  constructor(events: Pick<Simulation, 'unpark' | 'changed'>) {
    this.#events = events;
  }

  get(key: string): string | undefined {
    return this.#values.get(key);
  }

  keys(): IterableIterator<string> {
    return this.#values.keys();
  }

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

  /** Writes JSON text; deletes the key without it. */
  write(key: string, value: string | undefined): void {
    if (this.#values.get(key) !== value) this.#events.changed();
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, value);
  }
}
