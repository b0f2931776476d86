import type { Context } from '../domain/context.ts';
import { type Rejection, reject } from '../domain/rejection.ts';
import type { Principal } from './principal.ts';

/** What the answer says about the caller's bucket. */
export interface RateState {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Whole requests left. */
  readonly left: number;
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number;
  readonly rejected?: Rejection;
}

/**
 * Takes a token from the credential's bucket, which refills evenly; 0 looks only. Undefined when no limit is set.
 */
export function takeToken(
  context: Context,
  principal: Principal,
  cost: 0 | 1 = 1,
): RateState | undefined {
  const { rateLimit } = context.settings;
  if (!rateLimit) return undefined;
  const { limit, windowSeconds } = rateLimit;
  const perMs = limit / (windowSeconds * 1000);
  const now = context.ports.clock.now();
  const buckets = context.store.table('buckets');
  const id = `${principal.project}:${principal.actor}`;
  const bucket = buckets.get(id);
  const passed = bucket ? Math.max(0, now - bucket.at) : 0;
  const available = bucket ? Math.min(limit, bucket.left + passed * perMs) : limit;
  const allowed = available >= cost;
  const left = allowed ? available - cost : available;
  if (cost > 0) buckets.put({ id, left, at: now });

  const state = {
    limit,
    windowSeconds,
    left: Math.floor(left),
    resetSeconds: Math.ceil((limit - left) / perMs / 1000),
  };
  if (allowed) return state;
  return {
    ...state,
    rejected: reject('rate_limited', 'Too many requests. Wait as long as Retry-After says.', {
      retryAfterMs: (1 - left) / perMs,
    }),
  };
}
