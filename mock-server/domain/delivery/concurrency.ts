import { onAbort } from '../listeners.ts';
import { LinkedQueue } from './linked-queue.ts';
import {
  dropUnused,
  type EndpointQueue,
  hasRoom,
  nextIn,
  type Origin,
  type Pool,
  poolOf,
  type Share,
} from './slot-pool.ts';

/** How many attempts can run at once. */
export interface ConcurrencyLimits {
  /** To one endpoint whose attempts succeed. @default 50 */
  readonly perEndpoint: number;
  /** To all origins that responded to the last attempt. @default 500 */
  readonly healthy: number;
  /** To all origins without any attempt so far. One that is slow to respond makes room for the next. @default 500 */
  readonly untried: number;
  /** To all others: origins that did not respond to the last attempt, or have not yet responded to the first. @default 100 */
  readonly failing: number;
}

const defaultLimits: ConcurrencyLimits = {
  perEndpoint: 50,
  healthy: 500,
  untried: 500,
  failing: 100,
};

/** Where an attempt goes. */
export interface Endpoint {
  readonly project: string;
  /** Scheme, host and port: what is unresponsive as a whole. */
  readonly origin: string;
  /** Attempts to one endpoint never wait for those to another: a registration, or an origin for result callbacks. */
  readonly key: string;
  /** Whether its last attempt failed, if known from before. */
  readonly failing: boolean;
}

/** How an attempt ended. */
export interface AttemptResult {
  /** The endpoint accepted the message. */
  readonly succeeded: boolean;
  /** The origin responded in time, whatever it said. */
  readonly responded: boolean;
}

/** Releases a slot; undefined if no attempt was made. Calls after the first do nothing. */
export type Release = (result: AttemptResult | undefined) => void;

/** Origins without attempts whose condition is remembered. */
const MOST_REMEMBERED = 10_000;
/** How long an origin that was never tried keeps its slot from those that wait. */
const FIRST_RESPONSE_MS = 50;

/**
 * Shares slots fairly. Origins that respond never wait for those that do not: each kind has its own pool. In a pool, a
 * project can hold as many slots as it leaves free, so that there is always room for another project. Projects take
 * turns, and so do the endpoints of a project.
 *
 * Of origins that were never tried, nobody knows which are dead. So that many dead ones do not delay a live one, an
 * attempt without a response gives up its slot as soon as others wait, and every other slot goes to the newest of them.
 */
export class ConcurrencyLimiter {
  readonly #perEndpoint: number;
  readonly #healthy: Pool;
  readonly #untried: Pool;
  readonly #failing: Pool;
  readonly #origins = new Map<string, Origin>();
  readonly #queues = new Map<string, EndpointQueue>();
  /** Whether origins without attempts responded to the last one, the least recently used first. */
  readonly #remembered = new Map<string, boolean>();

  /** What gives up each slot of the untried origins. */
  readonly #first = new Set<() => void>();
  readonly #after: (ms: number, run: () => void) => unknown;
  #isWatching = false;

  /** `after` calls back later, on the server's clock. */
  constructor(
    after: (ms: number, run: () => void) => unknown,
    limits: ConcurrencyLimits = defaultLimits,
  ) {
    this.#after = after;
    this.#perEndpoint = limits.perEndpoint;
    this.#healthy = poolOf(limits.healthy);
    this.#untried = poolOf(limits.untried);
    this.#failing = poolOf(limits.failing);
  }

  /**
   * Takes a slot, right away if one is free. When the signal aborts, a slot that was taken is released, and waiting for
   * one ends with undefined.
   */
  acquire(
    endpoint: Endpoint,
    signal: AbortSignal,
  ): Release | Promise<Release | undefined> | undefined {
    if (signal.aborted) return undefined;
    const queue = this.#queueOf(endpoint);
    const share = this.#shareOf(queue);
    // What waits in this share could not use the slot: every slot that becomes free is handed out at once.
    const free = queue.waiting.length === 0 && queue.active < queue.window && hasRoom(share);
    if (!free) return this.#wait(queue, signal);
    const release = this.#occupy(queue, share);
    onAbort(signal, () => release(undefined));
    return release;
  }

  #queueOf({ key, project, origin: name, failing }: Endpoint): EndpointQueue {
    const known = this.#queues.get(key);
    if (known) return known;
    const origin = this.#originOf(`${project} ${name}`, failing);
    const queue: EndpointQueue = {
      key,
      project,
      origin,
      active: 0,
      window: 1,
      waiting: new LinkedQueue(),
      entry: undefined,
    };
    this.#queues.set(key, queue);
    origin.queues.add(queue);
    return queue;
  }

  #originOf(key: string, failing: boolean): Origin {
    const known = this.#origins.get(key);
    if (known) return known;
    const responds = this.#remembered.get(key) ?? (failing ? false : undefined);
    this.#remembered.delete(key);
    const origin = { key, responds, active: 0, queues: new Set<EndpointQueue>() };
    this.#origins.set(key, origin);
    return origin;
  }

  #shareOf({ origin, project }: EndpointQueue): Share {
    const pool = this.#poolOf(origin);
    const known = pool.shares.get(project);
    if (known) return known;
    const share = {
      pool,
      project,
      active: 0,
      queues: new LinkedQueue<EndpointQueue>(),
      turn: undefined,
    };
    pool.shares.set(project, share);
    return share;
  }

  #poolOf({ responds, active }: Origin): Pool {
    if (responds) return this.#healthy;
    return responds === undefined && active === 0 ? this.#untried : this.#failing;
  }

  #wait(queue: EndpointQueue, signal: AbortSignal): Promise<Release | undefined> {
    return new Promise((resolve) => {
      let release: Release | undefined;
      const node = queue.waiting.push(() => {
        release = this.#occupy(queue, this.#shareOf(queue));
        resolve(release);
      });
      onAbort(signal, () => {
        if (release) return release(undefined);
        queue.waiting.remove(node);
        this.#update(queue);
        resolve(undefined);
      });
      this.#update(queue);
      this.#handOut();
    });
  }

  #occupy(queue: EndpointQueue, share: Share): Release {
    const { origin } = queue;
    share.pool.active += 1;
    share.active += 1;
    origin.active += 1;
    queue.active += 1;
    // The first attempt to an origin is under way: the others now count as failing until it responds.
    if (origin.responds === undefined && origin.active === 1) this.#updateAll(origin);
    let isSlow = false;
    const giveUp = () => {
      share.pool.active -= 1;
      share.active -= 1;
      dropUnused(share);
      isSlow = this.#first.delete(giveUp);
      if (isSlow) share.pool.slow += 1;
    };
    if (share.pool === this.#untried) this.#first.add(giveUp);
    let held = true;
    return (result) => {
      if (!held) return;
      held = false;
      if (isSlow) share.pool.slow -= 1;
      else {
        this.#first.delete(giveUp);
        giveUp();
      }
      this.#release(queue, result);
    };
  }

  #release(queue: EndpointQueue, result: AttemptResult | undefined): void {
    const { origin } = queue;
    const before = this.#poolOf(origin);
    origin.active -= 1;
    queue.active -= 1;
    if (result) {
      origin.responds = result.responded;
      queue.window = result.succeeded ? Math.min(queue.window * 2, this.#perEndpoint) : 1;
    }
    if (this.#poolOf(origin) === before) this.#update(queue);
    else this.#updateAll(origin);
    this.#handOut();
  }

  /** Hands out the free slots of each pool. */
  #handOut(): void {
    for (const pool of [this.#healthy, this.#untried, this.#failing]) {
      for (let queue = nextIn(pool); queue; queue = nextIn(pool)) {
        const { entry } = queue;
        queue.waiting.shift()?.();
        pool.newestNext = pool === this.#untried && !pool.newestNext;
        // It had its turn, and so had its project.
        if (entry && queue.entry === entry) this.#dequeue(queue);
        this.#update(queue);
      }
    }
    this.#watch();
  }

  /** While origins wait for their first attempt, those that have a slot give it up soon. */
  #watch(): void {
    if (this.#isWatching || this.#untried.turns.length === 0) return;
    this.#isWatching = true;
    const current = [...this.#first];
    this.#after(FIRST_RESPONSE_MS, () => {
      this.#isWatching = false;
      for (const giveUp of current) if (this.#first.has(giveUp)) giveUp();
      this.#handOut();
    });
  }

  #updateAll(origin: Origin): void {
    for (const queue of origin.queues) this.#update(queue);
  }

  /** Puts the queue of an endpoint where it could use a slot, if anywhere, and forgets it once it is idle. */
  #update(queue: EndpointQueue): void {
    const { waiting, active, window, origin } = queue;
    const share = waiting.length > 0 && active < window ? this.#shareOf(queue) : undefined;
    if (queue.entry?.share !== share) {
      this.#dequeue(queue);
      if (share) {
        queue.entry = { share, node: share.queues.push(queue) };
        share.turn ??= share.pool.turns.push(share);
      }
    }
    if (waiting.length > 0 || active > 0) return;
    this.#queues.delete(queue.key);
    origin.queues.delete(queue);
    if (origin.queues.size === 0) this.#remember(origin);
  }

  /** Ends the turn of a queue and of its project. */
  #dequeue(queue: EndpointQueue): void {
    const { entry } = queue;
    if (!entry) return;
    const { share, node } = entry;
    queue.entry = undefined;
    share.queues.remove(node);
    if (share.turn) share.pool.turns.remove(share.turn);
    share.turn = share.queues.length > 0 ? share.pool.turns.push(share) : undefined;
    dropUnused(share);
  }

  #remember({ key, responds }: Origin): void {
    this.#origins.delete(key);
    if (responds === undefined) return;
    this.#remembered.set(key, responds);
    if (this.#remembered.size <= MOST_REMEMBERED) return;
    const [oldest] = this.#remembered.keys();
    if (oldest !== undefined) this.#remembered.delete(oldest);
  }
}
