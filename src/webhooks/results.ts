import type { WebhookEvent, WebhookEventOf } from './events.ts';

/** The event of a result callback. */
export type ResultEvent = WebhookEventOf<'generation_completed' | 'generation_failed'>;

/** Results that have arrived, for callers that wait for them. */
export interface Results {
  /** Adds a result; any other event is ignored. */
  add(event: WebhookEvent): void;
  /** The result of a request, at once if it is already here. Rejects with the reason of the signal. */
  waitFor(requestId: string, options?: { readonly signal?: AbortSignal }): Promise<ResultEvent>;
}

/** How many results are kept for a later `waitFor`; the oldest is dropped first. */
const capacity = 256;

/** Keeps the newest results in this process and resolves those who wait for them. */
export function createResults(): Results {
  const arrived = new Map<string, ResultEvent>();
  const waiting = new Map<string, Set<(event: ResultEvent) => void>>();
  return {
    add(event) {
      const result = event as ResultEvent;
      const { requestId } = result.payload;
      if (!requestId || !/^generation_(completed|failed)$/.test(event.type)) return;
      arrived.set(requestId, result);
      if (arrived.size > capacity) arrived.delete(arrived.keys().next().value as string);
      for (const resolve of waiting.get(requestId) ?? []) resolve(result);
      waiting.delete(requestId);
    },
    waitFor(requestId, { signal } = {}) {
      return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const known = arrived.get(requestId);
        if (known) return resolve(known);
        const waiters = waiting.get(requestId) ?? new Set();
        const finish = (event: ResultEvent) => {
          signal?.removeEventListener('abort', stop);
          resolve(event);
        };
        const stop = () => {
          waiters.delete(finish);
          if (waiters.size === 0 && waiting.get(requestId) === waiters) waiting.delete(requestId);
          reject(signal?.reason);
        };
        waiters.add(finish);
        waiting.set(requestId, waiters);
        signal?.addEventListener('abort', stop, { once: true });
      });
    },
  };
}
