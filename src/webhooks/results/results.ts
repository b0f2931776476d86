import { abortSignal, kindOf } from '../../option-rules.ts';
import { onAbort } from '../../platform/driver.ts';
import type { WebhookEvent, WebhookEventOf } from '../events.ts';

/** The event of a result callback. */
export type ResultEvent = WebhookEventOf<'generation_completed' | 'generation_failed'>;

/** Results of generations, for `job.wait({ results })` and `createWebhookHandler({ results })`. */
export interface ResultStore {
  /** Stores a result for waits, current and later ones; any other event is ignored. */
  add(event: WebhookEvent): unknown;
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

/** The request of a result callback; `undefined` for any other event. */
export function requestOf(event: WebhookEvent): string | undefined {
  if (!/^generation_(completed|failed)$/.test(event.type)) return undefined;
  const { requestId } = event.payload as ResultEvent['payload'];
  return typeof requestId === 'string' && requestId !== '' ? requestId : undefined;
}

/** Throws if a wait could never settle or never be ended. @throws TypeError */
export function assertWait(requestId: unknown, { signal }: { readonly signal?: unknown }): void {
  if (typeof requestId !== 'string' || requestId === '')
    throw new TypeError(`waitFor: requestId is ${kindOf(requestId)}. Pass the id of a generation.`);
  const problem = signal === undefined ? undefined : abortSignal(signal);
  if (problem) throw new TypeError(`waitFor: signal ${problem}`);
}

/** The waits in this process. */
export interface Waiters {
  /** Rejects with the reason of the signal, or if `ready` rejects. */
  wait(requestId: string, signal?: AbortSignal, ready?: Promise<unknown>): Promise<ResultEvent>;
  settle(requestId: string, event: ResultEvent): void;
  rejectAll(error: Error): void;
  has(requestId: string): boolean;
  requestIds(): string[];
}

interface Waiter {
  resolve(event: ResultEvent): void;
  reject(error: unknown): void;
}

export function createWaiters(): Waiters {
  const waiting = new Map<string, Set<Waiter>>();
  return {
    has: (requestId) => waiting.has(requestId),
    requestIds: () => [...waiting.keys()],
    settle(requestId, event) {
      for (const { resolve } of waiting.get(requestId) ?? []) resolve(event);
    },
    rejectAll(error) {
      for (const some of [...waiting.values()]) for (const { reject } of [...some]) reject(error);
    },
    async wait(requestId, signal, ready) {
      signal?.throwIfAborted();
      const waiters = waiting.get(requestId) ?? new Set();
      waiting.set(requestId, waiters);
      const { promise, waiter } = createWaiter();
      const stopListening = onAbort(signal, () => waiter.reject(signal?.reason));
      waiters.add(waiter);
      ready?.catch(waiter.reject);
      try {
        return await promise;
      } finally {
        stopListening();
        waiters.delete(waiter);
        if (waiters.size === 0 && waiting.get(requestId) === waiters) waiting.delete(requestId);
      }
    },
  };
}

/** `Promise.withResolvers`, which Node 20 lacks. */
function createWaiter(): { readonly promise: Promise<ResultEvent>; readonly waiter: Waiter } {
  let waiter: Waiter | undefined;
  const promise = new Promise<ResultEvent>((resolve, reject) => {
    waiter = { resolve, reject };
  });
  return { promise, waiter: waiter as unknown as Waiter };
}

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
    async waitFor(requestId, options = {}) {
      assertWait(requestId, options);
      const { signal } = options;
      signal?.throwIfAborted();
      return arrived.get(requestId) ?? waiters.wait(requestId, signal);
    },
  };
}
