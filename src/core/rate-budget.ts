import type { RateLimitFacts } from '../types.ts';

/**
 * What is left of a rate limit, estimated from the latest response until the next one. A bucket refills evenly; a
 * window is full again when it resets. Times are those of `performance.now()`.
 */
export class RateBudget {
  #left: number;
  #at: number;
  #resetsAt = 0;
  #limit = 1;
  #windowMs = 1000;
  /** 0 for a window. */
  #refillPerMs = 0;

  constructor(now: number) {
    this.#left = Infinity;
    this.#at = now;
  }

  /**
   * Corrects the estimate from a response.
   * @param facts what the response says; `resetsAt` counts from 0
   * @param sentAt when its request was sent
   * @param uncounted requests that the service has probably not counted in this response
   */
  correct(facts: RateLimitFacts, sentAt: number, uncounted: number, now: number): void {
    this.#refill(now);
    const { remaining, limit = 1, windowSeconds = 1 } = facts;
    const resetMs = facts.resetsAt.getTime();
    this.#limit = limit;
    this.#windowMs = windowSeconds * 1000;
    const perMs = limit / this.#windowMs;
    this.#refillPerMs = isBucket(facts, resetMs, perMs) ? perMs : 0;
    this.#resetsAt = now + resetMs;
    // The service counted at some time between sending and now, and has refilled the bucket since.
    const least = remaining - uncounted;
    const most = least + (now - sentAt) * this.#refillPerMs;
    const known = this.#left === Infinity ? least : this.#left;
    this.#left = Math.min(most, Math.max(least, known));
  }

  /** Milliseconds until a request may be sent; 0 for now. */
  waitMs(now: number): number {
    this.#refill(now);
    if (this.#left >= 1) return 0;
    return this.#refillPerMs > 0 ? (1 - this.#left) / this.#refillPerMs : this.#resetsAt - now;
  }

  /** Counts a request that is sent now. */
  take(): void {
    this.#left -= 1;
  }

  #refill(now: number): void {
    if (this.#refillPerMs > 0) {
      const refilled = this.#left + (now - this.#at) * this.#refillPerMs;
      this.#left = Math.min(this.#limit, refilled);
    } else if (now >= this.#resetsAt) {
      this.#left = this.#limit;
      this.#resetsAt = now + this.#windowMs;
    }
    this.#at = now;
  }
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
