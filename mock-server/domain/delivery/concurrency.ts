import type { Endpoint } from './send-message.ts';

/** How many attempts run at once: in all, to origins that are silent, and to one origin that responds. */
const MOST = 1000;
const MOST_SILENT = 500;
const PER_ORIGIN = 10;
/** Origins whose condition is remembered. */
const MOST_REMEMBERED = 10_000;

/** The attempts to one endpoint. */
interface Queue {
  readonly key: string;
  readonly origin: Origin;
  active: number;
  responds: boolean;
  /** Those that wait for a slot, oldest first. */
  readonly waiting: readonly [first: Set<Slot>, retries: Set<Slot>];
}

interface Origin {
  readonly name: string;
  active: number;
  /** How many attempts wait for a slot. */
  waiting: number;
  /** Whether the last attempt got a response; false before the first. */
  responds: boolean;
  /** Its endpoints with attempts, in the order in which they have a turn. */
  readonly queues: Map<string, Queue>;
}

/** The slot of one attempt, or its place among those that wait for one. */
export interface Slot {
  readonly queue: Queue;
  /** Those that wait like it. */
  readonly line: Set<Slot>;
  state: 'waiting' | 'taken' | 'released';
  /** Whether its origin was silent when it was taken. */
  isSilent: boolean;
  /** Called once it waits no more. */
  wake: () => void;
}

/**
 * Shares slots so that one dead endpoint never delays another. An origin that has not responded to its last attempt, or to
 * none so far, gets one at once, and so does such an endpoint; one that responds leaves its origin a slot. First attempts
 * go before retries; origins take turns, and so do the endpoints of one.
 */
export class ConcurrencyLimiter {
  readonly #origins = new Map<string, Origin>();
  /** The origins where attempts wait, in the order in which they have a turn. */
  readonly #responding = new Set<Origin>();
  readonly #silent = new Set<Origin>();
  #active = 0;
  #activeSilent = 0;

  /** Takes a slot right away if one is free. Otherwise it waits for one. */
  acquire({ origin, key, isRetry }: Endpoint): Slot {
    const queue = this.#queueOf(origin, key);
    const line = queue.waiting[isRetry ? 1 : 0];
    const slot: Slot = { queue, line, state: 'waiting', isSilent: false, wake() {} };
    line.add(slot);
    queue.origin.waiting += 1;
    if (line.size === 1 && this.#hasRoom(queue)) this.#take(slot);
    else this.#update(queue);
    return slot;
  }

  /** Ends an attempt, with whether the receiver responded in time, or its wait. */
  release(slot: Slot, responded?: boolean): void {
    const { queue, state } = slot;
    if (state === 'released') return;
    slot.state = 'released';
    if (state === 'taken') this.#count(slot, -1);
    else this.#leave(slot);
    if (responded !== undefined) {
      queue.origin.responds = responded;
      queue.responds = responded;
    }
    this.#update(queue);
    if (state === 'waiting') return;
    for (let next = this.#next(); next; next = this.#next()) this.#take(next);
  }

  #queueOf(name: string, key: string): Queue {
    let origin = this.#origins.get(name);
    origin ??= { name, active: 0, waiting: 0, responds: false, queues: new Map() };
    this.#origins.set(name, origin);
    let queue = origin.queues.get(key);
    const { responds } = origin;
    queue ??= { key, origin, active: 0, responds, waiting: [new Set(), new Set()] };
    return queue;
  }

  /** An endpoint that has not responded gets one slot of its origin, and another never all of them. */
  #hasRoom({ active, responds, origin }: Queue): boolean {
    if (this.#active >= MOST || active >= (responds ? PER_ORIGIN - 1 : 1)) return false;
    if (origin.responds) return origin.active < PER_ORIGIN;
    return origin.active === 0 && this.#activeSilent < MOST_SILENT;
  }

  /** Who gets a slot has the last turn then, of all origins and of its own. */
  #take(slot: Slot): void {
    const { key, origin } = slot.queue;
    slot.state = 'taken';
    slot.isSilent = !origin.responds;
    this.#count(slot, 1);
    this.#leave(slot);
    origin.queues.delete(key);
    this.#responding.delete(origin);
    this.#silent.delete(origin);
    this.#update(slot.queue);
  }

  #leave(slot: Slot): void {
    slot.line.delete(slot);
    slot.queue.origin.waiting -= 1;
    slot.wake();
  }

  #count({ queue, isSilent }: Slot, change: 1 | -1): void {
    this.#active += change;
    if (isSilent) this.#activeSilent += change;
    queue.origin.active += change;
    queue.active += change;
  }

  /** The attempt whose turn it is, if there is a slot for it. */
  #next(): Slot | undefined {
    for (const kind of [0, 1] as const) {
      for (const line of [this.#responding, this.#silent]) {
        if (line === this.#silent && this.#activeSilent >= MOST_SILENT) continue;
        for (const { queues } of line) {
          for (const queue of queues.values()) {
            const [slot] = queue.waiting[kind];
            if (slot && this.#hasRoom(queue)) return slot;
          }
        }
      }
    }
    return undefined;
  }

  /** Lists an endpoint and its origin where they belong, and forgets them once they are idle. */
  #update(queue: Queue): void {
    const { key, origin, active, waiting } = queue;
    const { name, queues, responds } = origin;
    if (active > 0 || waiting.some(({ size }) => size > 0)) queues.set(key, queue);
    else queues.delete(key);
    const line = origin.waiting > 0 ? (responds ? this.#responding : this.#silent) : undefined;
    for (const one of [this.#responding, this.#silent]) if (one !== line) one.delete(origin);
    line?.add(origin);
    const isKnown = responds && this.#origins.size <= MOST_REMEMBERED;
    if (queues.size === 0 && !isKnown) this.#origins.delete(name);
  }
}
