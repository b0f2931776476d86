import { onAbort } from '../listeners.ts';

/** How many attempts run at once: in all, to origins that are silent, and to one origin that responds. */
const MOST = 1000;
const MOST_SILENT = 500;
const PER_ORIGIN = 10;
/** Origins whose condition is remembered. */
const MOST_REMEMBERED = 10_000;

/** Where an attempt goes. */
export interface Endpoint {
  /** Scheme, host and port: what is unresponsive as a whole. */
  readonly origin: string;
  /** A registration, or for result callbacks a project and an origin. */
  readonly key: string;
  readonly isRetry: boolean;
}

/** Releases a slot, with whether the receiver responded in time; undefined if no attempt was made. */
export type Release = (responded: boolean | undefined) => void;

/** The attempts to one endpoint. */
interface Queue {
  readonly key: string;
  readonly origin: Origin;
  active: number;
  responds: boolean;
  /** Start the attempts that wait for a slot: first ones before retries. */
  readonly waiting: readonly [first: (() => void)[], retries: (() => void)[]];
}

interface Origin {
  readonly name: string;
  active: number;
  /** Whether the last attempt got a response; false before the first. */
  responds: boolean;
  readonly queues: readonly [first: Set<Queue>, retries: Set<Queue>];
}

/** The origins where attempts wait, in the order in which they have a turn. */
const newLane = () => [new Set<Origin>(), new Set<Origin>()] as const;

/**
 * Shares slots so that one dead endpoint never delays another. An origin that has not responded to its last attempt, or to
 * none so far, gets one at once, and so does such an endpoint; one that responds leaves its origin a slot. Origins take
 * turns, and so do the endpoints of one.
 */
export class ConcurrencyLimiter {
  readonly #queues = new Map<string, Queue>();
  readonly #origins = new Map<string, Origin>();
  readonly #responding = newLane();
  readonly #silent = newLane();
  #active = 0;
  #activeSilent = 0;

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
    const waiting = queue.waiting[endpoint.isRetry ? 1 : 0];
    let release: Release | undefined;
    if (waiting.length === 0 && this.#hasRoom(queue.origin) && hasOwnRoom(queue)) {
      release = this.#occupy(queue);
      onAbort(signal, () => release?.(undefined));
      return release;
    }
    return new Promise((resolve) => {
      const start = () => {
        release = this.#occupy(queue);
        resolve(release);
      };
      waiting.push(start);
      this.#update(queue);
      onAbort(signal, () => {
        if (release) return release(undefined);
        waiting.splice(waiting.indexOf(start), 1);
        this.#update(queue);
        resolve(undefined);
      });
    });
  }

  #queueOf({ origin: name, key }: Endpoint): Queue {
    const known = this.#queues.get(key);
    if (known) return known;
    const origin = this.#origins.get(name) ?? {
      ...{ name, active: 0, responds: false },
      queues: [new Set<Queue>(), new Set<Queue>()] as const,
    };
    this.#origins.set(name, origin);
    const { responds } = origin;
    const queue: Queue = { key, origin, active: 0, responds, waiting: [[], []] };
    this.#queues.set(key, queue);
    return queue;
  }

  #hasRoom({ active, responds }: Origin): boolean {
    if (this.#active >= MOST) return false;
    return responds ? active < PER_ORIGIN : active === 0 && this.#activeSilent < MOST_SILENT;
  }

  #occupy(queue: Queue): Release {
    const { origin } = queue;
    const isSilent = !origin.responds;
    const count = (change: 1 | -1) => {
      this.#active += change;
      if (isSilent) this.#activeSilent += change;
      origin.active += change;
      queue.active += change;
    };
    count(1);
    let held = true;
    return (responded) => {
      if (!held) return;
      held = false;
      count(-1);
      if (responded !== undefined) {
        origin.responds = responded;
        queue.responds = responded;
      }
      this.#update(queue);
      for (let next = this.#next(); next; next = this.#next()) {
        const waiting = next.waiting.find(({ length }) => length > 0);
        waiting?.shift()?.();
        this.#update(next);
      }
    };
  }

  /** The endpoint whose turn it is, if there is a slot for it. */
  #next(): Queue | undefined {
    for (const kind of [0, 1] as const) {
      for (const lane of [this.#responding, this.#silent]) {
        if (lane === this.#silent && this.#activeSilent >= MOST_SILENT) continue;
        for (const origin of lane[kind]) {
          if (!this.#hasRoom(origin)) continue;
          for (const queue of origin.queues[kind]) if (hasOwnRoom(queue)) return queue;
        }
      }
    }
    return undefined;
  }

  /** Puts an endpoint and its origin last among those that wait, and forgets them once they are idle. */
  #update(queue: Queue): void {
    const { key, origin, active, waiting } = queue;
    const lane = origin.responds ? this.#responding : this.#silent;
    for (const kind of [0, 1] as const) {
      origin.queues[kind].delete(queue);
      if (waiting[kind].length > 0) origin.queues[kind].add(queue);
      this.#responding[kind].delete(origin);
      this.#silent[kind].delete(origin);
      if (origin.queues[kind].size > 0) lane[kind].add(origin);
    }
    if (active > 0 || waiting.some(({ length }) => length > 0)) return;
    this.#queues.delete(key);
    const isIdle = origin.active === 0 && origin.queues.every(({ size }) => size === 0);
    const isKnown = origin.responds && this.#origins.size <= MOST_REMEMBERED;
    if (isIdle && !isKnown) this.#origins.delete(origin.name);
  }
}

/** An endpoint that has not responded gets one slot of its origin, and another never all of them. */
const hasOwnRoom = ({ active, responds }: Queue): boolean =>
  active < (responds ? PER_ORIGIN - 1 : 1);
