import type { OptionRules } from '../../option-rules.ts';
import { clearTimer, setRepeatingTimer, type Timer } from '../../platform/driver.ts';
import { finite, misconfigured } from '../../signing/errors.ts';
import {
  assertWait,
  createWaiters,
  type ResultEvent,
  type ResultStore,
  requestOf,
} from './results.ts';

/** Results that all processes share. */
export interface SharedResults extends ResultStore {
  /** Stores a result and announces it to all processes. Rejects when the store fails. */
  add(event: Parameters<ResultStore['add']>[0]): Promise<void>;
  /** Stops listening and rejects all waits in this process; `job.wait` falls back to polling. The clients stay open. */
  close(): Promise<void>;
}

/** Options of shared results. */
export interface SharedResultsOptions {
  /** How long a result is kept for a `waitFor` that comes later, in ms, at least 1 000. @default 3_600_000 (1 hour) */
  readonly ttlMs?: number;
}

export const sharedResultsRules: OptionRules<SharedResultsOptions> = {
  ttlMs: finite('milliseconds', 1000),
};

/** A store that announces what it stores. */
export interface ResultBackend {
  /** Stores a result, then announces its request. */
  save(requestId: string, result: string, ttlMs: number): Promise<unknown>;
  /** The stored result of a request. */
  load(requestId: string): Promise<string | null | undefined>;
  /**
   * Listens from the moment it resolves, and again after a lost connection. Resolves to a function that stops
   * listening.
   */
  listen(listener: ResultListener): Promise<() => Promise<unknown>>;
}

/** What a backend reports. */
export interface ResultListener {
  announced(requestId: string): void;
  /** The connection is back: announcements may have been missed. */
  reconnected(): void;
}

/** How long until waiting requests are looked up again, in case a connection died silently. */
const lookAgainMs = 5000;

/**
 * Shared results over any store: a result is stored before it is announced, and nobody waits for one that is already
 * there.
 */
export function createSharedResults(
  backend: ResultBackend,
  { ttlMs = 3_600_000 }: SharedResultsOptions,
): SharedResults {
  const waiters = createWaiters();
  let listening: Promise<() => Promise<unknown>> | undefined;
  let isClosed = false;
  let timer: Timer | undefined;

  const look = async (requestId: string) => {
    const event = parse(await backend.load(requestId));
    if (event) waiters.settle(requestId, event);
  };
  /** A lookup that fails is repeated later. */
  const lookAll = () => {
    for (const requestId of waiters.requestIds()) look(requestId).catch(() => {});
  };
  const listener: ResultListener = {
    announced(requestId) {
      if (waiters.has(requestId)) look(requestId).catch(() => {});
    },
    reconnected: lookAll,
  };
  const listen = () => {
    listening ??= backend.listen(listener).catch((error) => {
      listening = undefined;
      throw error;
    });
    return listening;
  };
  const stopTimer = () => {
    if (waiters.requestIds().length > 0) return;
    clearTimer(timer);
    timer = undefined;
  };
  return {
    async add(event) {
      const requestId = requestOf(event);
      if (requestId === undefined) return;
      await backend.save(requestId, JSON.stringify(event), ttlMs);
    },
    async waitFor(requestId, options = {}) {
      assertWait(requestId, options);
      if (isClosed) misconfigured('the results are closed', 'Call waitFor before close().');
      const ready = listen();
      const settled = waiters.wait(requestId, options.signal, ready);
      timer ??= setRepeatingTimer(lookAll, lookAgainMs);
      if (typeof timer === 'object') timer.unref?.();
      // Look up only after subscribing: this finds anything announced earlier.
      ready.then(() => look(requestId)).catch(() => {});
      try {
        return await settled;
      } finally {
        stopTimer();
      }
    },
    async close() {
      isClosed = true;
      waiters.rejectAll(new Error('The results were closed.'));
      clearTimer(timer);
      const stop = await listening?.catch(() => undefined);
      await stop?.();
    },
  };
}

function parse(stored: string | null | undefined): ResultEvent | undefined {
  if (!stored) return undefined;
  try {
    return JSON.parse(stored);
  } catch {
    return undefined;
  }
}
