import { checkNumber } from '../../signing/errors.ts';
import type { Dedupe, DedupeTimes } from './dedupe.ts';
import { readTimes } from './times.ts';

/** Options of {@link memoryDedupe}. */
export interface MemoryDedupeOptions extends DedupeTimes {
  /** Deliveries remembered; the oldest done ones go first. @default 100_000 */
  readonly maxEntries?: number;
  /** The current time in ms. @default Date.now */
  readonly now?: () => number;
}

/**
 * Remembers in this process alone: right for one process, and for tests. Several processes, or one that
 * restarts, need `redisDedupe` or `postgresDedupe`.
 *
 * @throws WebhookConfigurationError on times or sizes that cannot work.
 */
export function memoryDedupe(options: MemoryDedupeOptions = {}): Dedupe {
  const { maxEntries = 100_000, now = Date.now } = options;
  const { leaseMs, ttlMs } = readTimes(options);
  checkNumber('maxEntries', maxEntries, 1);
  const held = new Map<string, { attemptId: string; until: number }>();
  // In the order of completion, which is that of expiry.
  const done = new Map<string, number>();

  const forget = () => {
    for (const [key, until] of done) {
      if (done.size <= maxEntries && until > now()) return;
      done.delete(key);
    }
  };
  return {
    leaseMs,
    async claim(key, attemptId) {
      if ((done.get(key) ?? 0) > now()) return { state: 'done' };
      const leftMs = (held.get(key)?.until ?? 0) - now();
      if (leftMs > 0) return { state: 'in_flight', leftMs };
      held.set(key, { attemptId, until: now() + leaseMs });
      return { state: 'claimed' };
    },
    async renew(key, attemptId) {
      const lease = held.get(key);
      if (lease?.attemptId !== attemptId) return false;
      lease.until = now() + leaseMs;
      return true;
    },
    async complete(key) {
      held.delete(key);
      done.delete(key);
      done.set(key, now() + ttlMs);
      forget();
    },
    async release(key, attemptId) {
      if (held.get(key)?.attemptId === attemptId) held.delete(key);
    },
  };
}
