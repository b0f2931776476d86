import { abortSignal } from '../options/rules.ts';
import { kindOf } from '../options/values.ts';
import { onAbort } from '../platform/driver.ts';
import type { WebhookEvent, WebhookEventOf } from './events.ts';

/** The event of a result callback. */
export type ResultEvent = WebhookEventOf<'generation_completed' | 'generation_failed'>;

export interface Results {
  /** Keeps a result of this many bytes for waits, current and later ones; any other event is ignored. */
  add(event: WebhookEvent, bytes: number): void;
  /**
   * The result of a request, immediately if it has arrived since the first wait. Rejects with the reason of the signal.
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

/** The most that is kept for a later `waitFor`; the oldest is dropped first. Nothing is kept before the first one. */
const capacity = { results: 256, bytes: 8 * 1024 * 1024 };

type Resolve = (event: ResultEvent) => void;

export function createResults(): Results {
  const arrived = new Map<string, { readonly event: ResultEvent; readonly bytes: number }>();
  const waiting = new Map<string, Set<Resolve>>();
  let keptBytes = 0;
  let isWaitedFor = false;
  const drop = (requestId: string) => {
    keptBytes -= arrived.get(requestId)?.bytes ?? 0;
    arrived.delete(requestId);
  };
  const keep = (requestId: string, event: ResultEvent, bytes: number) => {
    drop(requestId);
    arrived.set(requestId, { event, bytes });
    keptBytes += bytes;
    for (const oldest of arrived.keys()) {
      if (arrived.size <= capacity.results && keptBytes <= capacity.bytes) return;
      drop(oldest);
    }
  };
  return {
    add(event, bytes) {
      const requestId = requestOf(event);
      if (requestId === undefined || !isWaitedFor) return;
      const result = event as ResultEvent;
      keep(requestId, result, bytes);
      for (const resolve of waiting.get(requestId) ?? []) resolve(result);
      waiting.delete(requestId);
    },
    async waitFor(requestId, options = {}) {
      assertWait(requestId, options);
      isWaitedFor = true;
      const { signal } = options;
      signal?.throwIfAborted();
      const result = arrived.get(requestId);
      if (result) return result.event;
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
