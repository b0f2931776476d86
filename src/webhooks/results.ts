import { createWaiters, type ResultEvent, type ResultStore, requestOf } from './results/waiters.ts';

/** How many results are kept for a later `waitFor`; the oldest is dropped first. */
const capacity = 256;

/** Keeps the newest results in this process and settles the waits for them. */
export function createResults(): ResultStore {
  const arrived = new Map<string, ResultEvent>();
  const waiters = createWaiters();
  return {
    add(event) {
      const requestId = requestOf(event);
      if (requestId === undefined) return;
      const result = event as ResultEvent;
      arrived.set(requestId, result);
      if (arrived.size > capacity) arrived.delete(arrived.keys().next().value as string);
      waiters.settle(requestId, result);
    },
    async waitFor(requestId, { signal } = {}) {
      signal?.throwIfAborted();
      return arrived.get(requestId) ?? waiters.wait(requestId, signal);
    },
  };
}
