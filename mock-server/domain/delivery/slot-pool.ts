import { LinkedQueue, type QueueNode } from './linked-queue.ts';

/** However many attempts are slow, this many slots are handed out, if the pool has as many. */
const LEAST = 20;

/** Slots that origins in the same condition share. */
export interface Pool {
  readonly limit: number;
  active: number;
  /** Attempts that gave up their slot before they ended. As many slots fewer are handed out, down to a few. */
  slow: number;
  /** Whether the newest waiting endpoint of a project goes next; the oldest does otherwise. */
  newestNext: boolean;
  readonly shares: Map<string, Share>;
  /** Projects that could use a slot, in turn. */
  readonly turns: LinkedQueue<Share>;
}

/** One project's part of a pool. */
export interface Share {
  readonly pool: Pool;
  readonly project: string;
  active: number;
  /** Queues that could use a slot, in turn. */
  readonly queues: LinkedQueue<EndpointQueue>;
  turn: QueueNode<Share> | undefined;
}

export interface Origin {
  readonly key: string;
  /** Undefined before its first attempt has ended. */
  responds: boolean | undefined;
  active: number;
  readonly queues: Set<EndpointQueue>;
}

/** The attempts to one endpoint. */
export interface EndpointQueue {
  readonly key: string;
  readonly project: string;
  readonly origin: Origin;
  active: number;
  /** How many attempts can run at once: doubles with every success, back to one after a failure. */
  window: number;
  /** Starts the attempts that wait for a slot. */
  readonly waiting: LinkedQueue<() => void>;
  /** Its entry among the queues of a share, while it could use a slot. */
  entry: { readonly share: Share; readonly node: QueueNode<EndpointQueue> } | undefined;
}

export const poolOf = (limit: number): Pool => ({
  limit,
  active: 0,
  slow: 0,
  newestNext: false,
  shares: new Map(),
  turns: new LinkedQueue(),
});

/**
 * Whether a project can take another slot: it holds fewer than it leaves free. While attempts are slow, those that wait
 * leave half of the slots to those that arrive, which then do not wait.
 */
export function hasRoom({ pool, active }: Share, waits = false): boolean {
  const { limit, slow } = pool;
  const slots = Math.max(limit - slow, Math.min(LEAST, limit));
  return active < (waits && slow > 0 ? slots / 2 : slots) - pool.active;
}

/** The queue whose turn it is, if there is a slot for its project. */
export function nextIn(pool: Pool): EndpointQueue | undefined {
  if (pool.active >= pool.limit) return undefined;
  for (const share of pool.turns) {
    if (hasRoom(share, true)) return pool.newestNext ? share.queues.last : share.queues.first;
  }
  return undefined;
}

export function dropUnused({ pool, project, active, queues }: Share): void {
  if (active === 0 && queues.length === 0) pool.shares.delete(project);
}
