import type { RateLimitFacts } from '../types.ts';

/** What is left of a rate limit. Times are those of `performance.now()`. */
export interface RateBudget {
  /**
   * Corrects the estimate from a response.
   * @param facts what the response says; `resetsAt` counts from 0
   * @param sentAt when its request was sent
   * @param uncounted requests that the service has probably not counted in this response
   */
  correct(facts: RateLimitFacts, sentAt: number, uncounted: number, now: number): void;
  /** Milliseconds until a request may be sent; 0 for now. */
  waitMs(now: number): number;
  /** Counts a request that is sent now. */
  take(): void;
}

/**
 * Estimates the budget from the latest response until the next one. A bucket refills evenly; a window is full again
 * when it resets.
 */
export function createRateBudget(createdAt: number): RateBudget {
  let left = 1;
  let at = createdAt;
  let windowEndsAt = 0;
  let limit = 1;
  let windowMs = 1000;
  /** 0 for a window. */
  let refillPerMs = 0;
  let isKnown = true;
  const refill = (now: number) => {
    if (!isKnown && now >= windowEndsAt) left = Math.max(left, 1);
    else if (refillPerMs > 0) {
      left = Math.min(limit, left + (now - at) * refillPerMs);
    } else if (now >= windowEndsAt) {
      left = limit;
      windowEndsAt = now + windowMs;
    }
    at = now;
  };
  return {
    correct(facts, sentAt, uncounted, now) {
      refill(now);
      const resetMs = facts.resetsAt.getTime();
      // Without a policy, or with one that allows nothing, only what is left until the reset is known.
      isKnown = Boolean(facts.limit && facts.windowSeconds);
      limit = isKnown ? (facts.limit as number) : 1;
      windowMs = isKnown ? (facts.windowSeconds as number) * 1000 : 0;
      const perMs = isKnown ? limit / windowMs : 0;
      refillPerMs = isBucket(facts, resetMs, perMs) ? perMs : 0;
      windowEndsAt = now + resetMs;
      // The service counted at some time between sending and now, and has refilled the bucket since.
      const least = facts.remaining - uncounted;
      const most = least + (now - sentAt) * refillPerMs;
      left = Math.min(most, Math.max(least, left));
    },
    waitMs(now) {
      refill(now);
      if (left >= 1) return 0;
      return refillPerMs > 0 ? (1 - left) / refillPerMs : windowEndsAt - now;
    },
    take() {
      left -= 1;
    },
  };
}

/**
 * Whether the reset time is that of a bucket that refills evenly. The headers do not say whether a service uses a
 * bucket or a window; mistaking a window for a bucket costs one rejected request per window.
 */
function isBucket({ limit, remaining }: RateLimitFacts, resetMs: number, perMs: number): boolean {
  if (limit === undefined || perMs === 0) return false;
  const fullMs = (limit - remaining) / perMs;
  // The service rounds `r` down and `t` up.
  return resetMs > fullMs - 1 / perMs - 1 && resetMs < fullMs + 1000;
}
