import { onAbort } from '../listeners.ts';
import type { Endpoint } from './send-message.ts';

/** How many attempts run at once: in all, to origins that are silent, and to one origin that responds. */
const MOST = 1000;
const MOST_SILENT = 500;
const PER_ORIGIN = 10;
/** Origins whose condition is remembered. */
const MOST_REMEMBERED = 10_000;

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
  /** Attempts that wait for a slot. */
  waiting: number;
  /** Whether the last attempt got a response; false before the first. */
  responds: boolean;
  /** Its endpoints with attempts, in the order in which they have a turn. */
  readonly queues: Map<string, Queue>;
}

/**
 * Shares slots so that one dead endpoint never delays another. An origin that has not responded to its last attempt, or to
 * none so far, gets one at once, and so does such an endpoint; one that responds leaves its origin a slot. Origins take
 * turns, and so do the endpoints of one.
 */
export class ConcurrencyLimiter {
  readonly #origins = new Map<string, Origin>();
  /** The origins where attempts wait, in the order in which they have a turn. */
  readonly #responding = new Set<Origin>();
  readonly #silent = new Set<Origin>();
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
    const { origin } = queue;
    const waiting = queue.waiting[endpoint.isRetry ? 1 : 0];
    if (waiting.length === 0 && this.#hasRoom(queue)) return this.#occupy(queue, signal);
    return new Promise((resolve) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(start), 1);
        origin.waiting -= 1;
      };
      const stopListening = onAbort(signal, () => {
        leave();
        this.#putLast(queue);
        resolve(undefined);
      });
      const start = () => {
        leave();
        stopListening();
        resolve(this.#occupy(queue, signal));
      };
      waiting.push(start);
      origin.waiting += 1;
      this.#putLast(queue);
    });
  }

  #queueOf({ origin: name, key }: Endpoint): Queue {
    let origin = this.#origins.get(name);
    if (!origin) {
      origin = { name, active: 0, waiting: 0, responds: false, queues: new Map() };
      this.#origins.set(name, origin);
    }
    let queue = origin.queues.get(key);
    if (!queue) {
      queue = { key, origin, active: 0, responds: origin.responds, waiting: [[], []] };
      origin.queues.set(key, queue);
    }
    return queue;
  }

  /** An endpoint that has not responded gets one slot of its origin, and another never all of them. */
  #hasRoom({ active, responds, origin }: Queue): boolean {
    if (this.#active >= MOST || active >= (responds ? PER_ORIGIN - 1 : 1)) return false;
    if (origin.responds) return origin.active < PER_ORIGIN;
    return origin.active === 0 && this.#activeSilent < MOST_SILENT;
  }

  #occupy(queue: Queue, signal: AbortSignal): Release {
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
    const release: Release = (responded) => {
      if (!held) return;
      held = false;
      count(-1);
      if (responded !== undefined) {
        origin.responds = responded;
        queue.responds = responded;
      }
      this.#putLast(queue);
      for (let next = this.#next(); next; next = this.#next()) {
        (next.waiting[0][0] ?? next.waiting[1][0])?.();
        this.#putLast(next);
      }
    };
    onAbort(signal, () => release(undefined));
    return release;
  }

  /** The endpoint whose turn it is, if there is a slot for it: those with first attempts before those with retries. */
  #next(): Queue | undefined {
    for (const kind of [0, 1] as const) {
      for (const lane of [this.#responding, this.#silent]) {
        if (lane === this.#silent && this.#activeSilent >= MOST_SILENT) continue;
        for (const { queues } of lane) {
          for (const queue of queues.values()) {
            if (queue.waiting[kind].length > 0 && this.#hasRoom(queue)) return queue;
          }
        }
      }
    }
    return undefined;
  }

  /** Puts an endpoint and its origin last among those that wait, and forgets them once they are idle. */
  #putLast(queue: Queue): void {
    const { key, origin, active, waiting } = queue;
    origin.queues.delete(key);
    if (active > 0 || waiting.some(({ length }) => length > 0)) origin.queues.set(key, queue);
    this.#responding.delete(origin);
    this.#silent.delete(origin);
    if (origin.waiting > 0) (origin.responds ? this.#responding : this.#silent).add(origin);
    const isKnown = origin.responds && this.#origins.size <= MOST_REMEMBERED;
    if (origin.queues.size === 0 && !isKnown) this.#origins.delete(origin.name);
  }
}
