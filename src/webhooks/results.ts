import { abortSignal } from '../options/rules.ts';
import { kindOf } from '../options/values.ts';
import { onAbort } from '../platform/driver.ts';
import type { WebhookEvent, WebhookEventOf } from './events.ts';

/** The event of a result callback. */
export type ResultEvent = WebhookEventOf<'generation_completed' | 'generation_failed'>;

/** The results of generations that arrived in this process. */
export interface Results {
  /** Keeps a result for waits, current and later ones; any other event is ignored. */
  add(event: WebhookEvent): void;
  /**
   * The result of a request, immediately if it has already arrived. Rejects with the reason of the signal.
   *
   * @throws TypeError when `requestId` is not an id, or `signal` is not an AbortSignal.
   */
  waitFor(
    requestId: string,
    options?: {
      /** Ends the wait. */
      readonly signal?: AbortSignal;
    },
  ): Promise<ResultEvent>;
}

/** How many results are kept for a later `waitFor`; the oldest is dropped first. */
const capacity = 256;

type Resolve = (event: ResultEvent) => void;

/** Keeps the newest results and settles the waits for them. */
export function createResults(): Results {
  const arrived = new Map<string, ResultEvent>();
  const waiting = new Map<string, Set<Resolve>>();
  return {
    add(event) {
      const requestId = requestOf(event);
      if (requestId === undefined) return;
      const result = event as ResultEvent;
      arrived.set(requestId, result);
      if (arrived.size > capacity) arrived.delete(arrived.keys().next().value as string);
      for (const resolve of waiting.get(requestId) ?? []) resolve(result);
      waiting.delete(requestId);
    },
    async waitFor(requestId, options = {}) {
      assertWait(requestId, options);
      const { signal } = options;
      signal?.throwIfAborted();
      const result = arrived.get(requestId);
      if (result) return result;
      return new Promise((resolve, reject) => {
        const waits = waiting.get(requestId) ?? new Set();
        waiting.set(requestId, waits);
        const settle: Resolve = (event) => {
          stopListening();
          resolve(event);
        };
        const stopListening = onAbort(signal, () => {
          waits.delete(settle);
          if (waits.size === 0 && waiting.get(requestId) === waits) waiting.delete(requestId);
          reject(signal?.reason);
        });
        waits.add(settle);
      });
    },
  };
}

/** The request of a result callback; `undefined` for any other event. */
function requestOf(event: WebhookEvent): string | undefined {
  if (!/^generation_(completed|failed)$/.test(event.type)) return undefined;
  const { requestId } = event.payload as ResultEvent['payload'];
  return typeof requestId === 'string' && requestId !== '' ? requestId : undefined;
}

/** Throws if a wait could never settle or never be ended. @throws TypeError */
function assertWait(requestId: unknown, { signal }: { readonly signal?: unknown }): void {
  if (typeof requestId !== 'string' || requestId === '')
    throw new TypeError(`waitFor: requestId is ${kindOf(requestId)}. Pass the id of a generation.`);
  const problem = signal === undefined ? undefined : abortSignal(signal);
  if (problem) throw new TypeError(`waitFor: signal ${problem}`);
}
