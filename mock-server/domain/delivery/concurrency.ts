import { onAbort } from '../listeners.ts';

/** A handle to an entry of a queue, for removing it. */
export interface QueueNode<T> {
  readonly value: T;
  previous: QueueNode<T>;
  next: QueueNode<T>;
}

/**
 * First in, first out, with removal from anywhere in constant time. (A Set would do, but finding its first entry takes
 * time proportional to the entries removed before it.)
 */
class LinkedQueue<T> {
  /** Closes the ring: the first entry follows it, the last one precedes it. */
  readonly #end = {} as QueueNode<T>;
  #length = 0;

  constructor() {
    this.#end.previous = this.#end;
    this.#end.next = this.#end;
  }

  get length(): number {
    return this.#length;
  }

  get first(): T | undefined {
    return this.#end.next.value;
  }

  push(value: T): QueueNode<T> {
    const { previous } = this.#end;
    const node = { value, previous, next: this.#end };
    previous.next = node;
    this.#end.previous = node;
    this.#length += 1;
    return node;
  }

  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    const { next } = this.#end;
    this.remove(next);
    return next.value;
  }

  /** A node can be removed only once. */
  remove(node: QueueNode<T>): void {
    node.previous.next = node.next;
    node.next.previous = node.previous;
    this.#length -= 1;
  }
}

/** How many attempts can run at once. */
export interface ConcurrencyLimits {
  /** To one healthy endpoint. @default 50 */
  readonly perEndpoint: number;
  /** To all healthy endpoints together. @default 500 */
  readonly healthy: number;
  /** To all failing endpoints together: those whose last attempt failed. @default 100 */
  readonly failing: number;
}

const defaultLimits: ConcurrencyLimits = { perEndpoint: 50, healthy: 500, failing: 100 };

/**
 * Releases a slot and says whether the attempt succeeded; undefined if none was made. Calls after the first do nothing.
 */
export type Release = (succeeded: boolean | undefined) => void;

/** The slots that healthy endpoints share, or those that failing ones share. */
interface Pool {
  readonly limit: number;
  active: number;
  /** Endpoints that could use a slot now, in turn. */
  readonly ready: LinkedQueue<Endpoint>;
}

interface Endpoint {
  readonly key: string;
  failing: boolean;
  active: number;
  /** How many attempts can run at once: doubles with every success, back to one after a failure. */
  window: number;
  /** Starts the attempts that wait for a slot. */
  readonly waiting: LinkedQueue<() => void>;
  /** Its entry in the queue of a pool, while it has one. */
  entry: { readonly pool: Pool; readonly node: QueueNode<Endpoint> } | undefined;
}

/**
 * Shares slots fairly among endpoints. Failing endpoints have their own pool: an endpoint that hangs holds a single
 * healthy slot until its first attempt has failed, and none from then on, so it cannot delay the others.
 */
export class ConcurrencyLimiter {
  readonly #perEndpoint: number;
  readonly #healthy: Pool;
  readonly #failing: Pool;
  readonly #endpoints = new Map<string, Endpoint>();

  constructor(limits: ConcurrencyLimits = defaultLimits) {
    this.#perEndpoint = limits.perEndpoint;
    this.#healthy = { limit: limits.healthy, active: 0, ready: new LinkedQueue() };
    this.#failing = { limit: limits.failing, active: 0, ready: new LinkedQueue() };
  }

  /**
   * Takes a slot, right away if one is free. When the signal aborts, a slot that was taken is released, and waiting for
   * one ends with undefined.
   */
  acquire(
    key: string,
    failing: boolean,
    signal: AbortSignal,
  ): Release | Promise<Release | undefined> | undefined {
    if (signal.aborted) return undefined;
    const endpoint = this.#endpointOf(key, failing);
    const pool = this.#poolOf(endpoint);
    // An endpoint with free slots and nothing waiting means that the whole pool has nothing waiting, or is full.
    const free = endpoint.waiting.length === 0 && endpoint.active < endpoint.window;
    if (!free || pool.active >= pool.limit) return this.#wait(endpoint, signal);
    const release = this.#occupy(endpoint);
    onAbort(signal, () => release(false));
    return release;
  }

  #endpointOf(key: string, failing: boolean): Endpoint {
    const known = this.#endpoints.get(key);
    if (known) return known;
    const waiting = new LinkedQueue<() => void>();
    const endpoint = { key, failing, active: 0, window: 1, waiting, entry: undefined };
    this.#endpoints.set(key, endpoint);
    return endpoint;
  }

  #poolOf(endpoint: Endpoint): Pool {
    return endpoint.failing ? this.#failing : this.#healthy;
  }

  #wait(endpoint: Endpoint, signal: AbortSignal): Promise<Release | undefined> {
    return new Promise((resolve) => {
      let release: Release | undefined;
      const node = endpoint.waiting.push(() => {
        release = this.#occupy(endpoint);
        resolve(release);
      });
      onAbort(signal, () => {
        if (release) return release(false);
        endpoint.waiting.remove(node);
        this.#update(endpoint);
        resolve(undefined);
      });
      this.#update(endpoint);
      this.#startWaiting(this.#poolOf(endpoint));
    });
  }

  #occupy(endpoint: Endpoint): Release {
    const pool = this.#poolOf(endpoint);
    pool.active += 1;
    endpoint.active += 1;
    let held = true;
    return (succeeded) => {
      if (!held) return;
      held = false;
      pool.active -= 1;
      this.#release(endpoint, succeeded);
    };
  }

  #release(endpoint: Endpoint, succeeded: boolean | undefined): void {
    endpoint.active -= 1;
    if (succeeded !== undefined) {
      endpoint.failing = !succeeded;
      endpoint.window = succeeded ? Math.min(endpoint.window * 2, this.#perEndpoint) : 1;
    }
    this.#update(endpoint);
    this.#startWaiting(this.#healthy);
    this.#startWaiting(this.#failing);
  }

  /** Hands the pool's free slots to its endpoints in turn. */
  #startWaiting(pool: Pool): void {
    while (pool.active < pool.limit) {
      const endpoint = pool.ready.first;
      const start = endpoint?.waiting.shift();
      if (!endpoint || !start) return;
      start();
      this.#dequeue(endpoint);
      this.#update(endpoint);
    }
  }

  /** Queues an endpoint in the pool where it could use a slot, if any, and forgets it once it is idle. */
  #update(endpoint: Endpoint): void {
    const { waiting, active, window } = endpoint;
    const pool = waiting.length > 0 && active < window ? this.#poolOf(endpoint) : undefined;
    if (endpoint.entry?.pool !== pool) {
      this.#dequeue(endpoint);
      endpoint.entry = pool && { pool, node: pool.ready.push(endpoint) };
    }
    if (waiting.length === 0 && active === 0) this.#endpoints.delete(endpoint.key);
  }

  #dequeue(endpoint: Endpoint): void {
    endpoint.entry?.pool.ready.remove(endpoint.entry.node);
    endpoint.entry = undefined;
  }
}
