import type { World } from '../domain/context.ts';
import { type Refusal, refuse } from '../domain/rejection.ts';
import type { Principal } from './principal.ts';

/** What the answer says about the caller's bucket. */
export interface RateState {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Whole requests left. */
  readonly left: number;
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number;
  readonly refused?: Refusal;
}

/**
 * Takes a token from the credential's bucket, which refills evenly; 0 looks only. Undefined when no limit is set.
 */
export function takeToken(
  world: World,
  principal: Principal,
  cost: 0 | 1 = 1,
): RateState | undefined {
  const { rateLimit } = world.settings;
  if (!rateLimit) return undefined;
  const { limit, windowSeconds } = rateLimit;
  const perMs = limit / (windowSeconds * 1000);
  const now = world.ports.clock.now();
  const buckets = world.store.table('buckets');
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
    refused: refuse('rate_limited', 'Too many requests. Wait as long as Retry-After says.', {
      retryAfterMs: (1 - left) / perMs,
    }),
  };
}
