import { reject } from '../domain/rejection.ts';
import type { Admission, Call, CallRejection, Headers, Permit, Principal } from './call.ts';

interface Bucket {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Tokens left, with fractions. */
  readonly left: number;
  readonly refillPerMs: number;
  readonly taken: boolean;
}

/** Takes a token from the caller's bucket, or rejects with 429. */
export function limitRate(call: Call, permit: Permit): Admission | CallRejection {
  const bucket = drawFromBucket(call, permit.principal, 1);
  if (!bucket) return { permit, rateHeaders: undefined };
  const headers = headersOf(bucket);
  if (bucket.taken) return { permit, rateHeaders: headers };
  const { limit, windowSeconds, left, refillPerMs } = bucket;
  const rate = `${limit} requests per ${windowSeconds} s`;
  const detail = `The rate limit of ${rate} is used up. Wait as long as Retry-After says, then retry.`;
  const retryAfterMs = (1 - left) / refillPerMs;
  return { ...reject('rate_limited', detail, { retryAfterMs }), headers };
}

/** The headers for a call that is rejected before it takes a token; undefined without a rate limit. */
export function rateHeaders(call: Call, principal: Principal): Headers | undefined {
  const bucket = drawFromBucket(call, principal, 0);
  return bucket && headersOf(bucket);
}

/** Undefined without a rate limit. A bucket refills evenly. */
function drawFromBucket({ service }: Call, principal: Principal, cost: 0 | 1): Bucket | undefined {
  const { settings, ports, store } = service.context;
  if (!settings.rateLimit) return undefined;
  const { limit, windowSeconds } = settings.rateLimit;
  const refillPerMs = limit / (windowSeconds * 1000);
  const now = ports.clock.now();
  const buckets = store.table('buckets');
  const id = `${principal.project}:${principal.actor}`;
  const bucket = buckets.get(id);
  const elapsed = bucket ? Math.max(0, now - bucket.at) : 0;
  const available = bucket ? Math.min(limit, bucket.left + elapsed * refillPerMs) : limit;
  const taken = available >= cost;
  const left = taken ? available - cost : available;
  if (cost > 0) buckets.put({ id, left, at: now });
  return { limit, windowSeconds, left, refillPerMs, taken };
}

function headersOf({ limit, windowSeconds, left, refillPerMs }: Bucket): Headers {
  const secondsUntilFull = Math.ceil((limit - left) / refillPerMs / 1000);
  return {
    'ratelimit-policy': `"default";q=${limit};w=${windowSeconds}`,
    ratelimit: `"default";r=${Math.floor(left)};t=${secondsUntilFull}`,
  };
}
