import { callback, type OptionRules } from '../../options/rules.ts';
import { now as platformNow } from '../../platform/driver.ts';
import { assertOptions, finite } from '../../signing/errors.ts';
import { type DedupeStore, type DedupeTimes, readTimes, timesRules } from './lease-times.ts';

/** Options of {@link memoryDedupe}. */
export interface MemoryDedupeOptions extends DedupeTimes {
  /** How many handled deliveries are remembered; the oldest are dropped first. At least 1. @default 100_000 */
  readonly maxEntries?: number;
  /** The current time in ms. @default Date.now */
  readonly now?: () => number;
}

const rules: OptionRules<MemoryDedupeOptions> = {
  ...timesRules,
  maxEntries: finite('deliveries', 1),
  now: callback,
};

/**
 * Remembers deliveries in this process only, for a single process and for tests. Several processes, or one that
 * restarts, need `redisDedupe` or `postgresDedupe`.
 *
 * @throws WebhookConfigurationError when a time or size is out of range.
 * @example
 * createWebhookHandler({ secret, dedupe: memoryDedupe({ maxEntries: 10_000 }) });
 */
export function memoryDedupe(options: MemoryDedupeOptions = {}): DedupeStore {
  assertOptions(options, rules);
  const { maxEntries = 100_000, now = platformNow } = options;
  const { leaseMs, ttlMs } = readTimes(options);
  const leases = new Map<string, { attemptId: string; until: number }>();
  // Key → time of expiry, in the order of completion and therefore of expiry.
  const done = new Map<string, number>();

  const dropExpired = () => {
    for (const [key, until] of done) {
      if (done.size <= maxEntries && until > now()) return;
      done.delete(key);
    }
  };
  return {
    leaseMs,
    ttlMs,
    claim(key, attemptId) {
      if ((done.get(key) ?? 0) > now()) return { state: 'done' };
      const leftMs = (leases.get(key)?.until ?? 0) - now();
      if (leftMs > 0) return { state: 'in_flight', leftMs };
      leases.set(key, { attemptId, until: now() + leaseMs });
      return { state: 'claimed' };
    },
    renew(key, attemptId) {
      const lease = leases.get(key);
      if (lease?.attemptId !== attemptId) return false;
      lease.until = now() + leaseMs;
      return true;
    },
    complete(key) {
      leases.delete(key);
      done.delete(key);
      done.set(key, now() + ttlMs);
      dropExpired();
    },
    release(key, attemptId) {
      if (leases.get(key)?.attemptId === attemptId) leases.delete(key);
    },
    async forget(key) {
      const isKnown = (done.get(key) ?? 0) > now();
      done.delete(key);
      return isKnown;
    },
  };
}
