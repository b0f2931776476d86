import type { WebhookEvent, WebhookEventOf } from './events.ts';

/** The event of a result callback. */
export type ResultEvent = WebhookEventOf<'generation_completed' | 'generation_failed'>;

/** Results that arrived, for whoever waits for them. */
export interface Results {
  settle(event: WebhookEvent): void;
  waitFor(requestId: string, options?: { readonly signal?: AbortSignal }): Promise<ResultEvent>;
}

/** Results that are kept for a later `waitFor`; the oldest goes first. */
const capacity = 256;

/** Keeps the newest results and wakes those who wait. Nothing is kept across processes. */
export function createResults(): Results {
  const arrived = new Map<string, ResultEvent>();
  const waiting = new Map<string, Set<(event: ResultEvent) => void>>();
  return {
    settle(event) {
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
        const settle = (event: ResultEvent) => {
          signal?.removeEventListener('abort', abort);
          resolve(event);
        };
        const abort = () => {
          waiters.delete(settle);
          if (waiters.size === 0 && waiting.get(requestId) === waiters) waiting.delete(requestId);
          reject(signal?.reason);
        };
        waiters.add(settle);
        waiting.set(requestId, waiters);
        signal?.addEventListener('abort', abort, { once: true });
      });
    },
  };
}
