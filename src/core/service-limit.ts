import { createRateBudget, type RateBudget } from './rate-budget.ts';
import { parseRateLimit } from './rate-limit-headers.ts';

/** Attempts without a response at once until the first response has said whether there is a limit. */
const FIRST_ATTEMPTS = 16;
/** This many attempts without a rejection show that no limit is near. */
const ENOUGH = 64;
/** Attempts sent this close together can arrive in a different order. */
const REORDER_MS = 250;

/** An attempt that was sent; numbers count up. */
export interface Sent {
  readonly number: number;
  readonly sentAt: number;
}

/**
 * What the service allows one credential, as far as its responses have said. Three facts hold attempts back: the pause
 * after a rejection, the budget that `RateLimit` states, and, while neither tells how much is allowed, a number of
 * attempts without a response that grows as long as none is rejected.
 */
export class ServiceLimit {
  readonly #maxWaitMs: number;
  readonly #unanswered = new Set<Sent>();
  #closedUntil = 0;
  #budget: RateBudget | undefined;
  /** The newest attempt whose response corrected the budget. */
  #correctedBy = 0;
  #lastSent = 0;
  /** How many attempts after number `#trialStart` can be without a response. */
  #trialSize = FIRST_ATTEMPTS;
  /** The last attempt before the newest rejection; 0 without one. */
  #trialStart = 0;

  /** @param maxWaitMs - Nothing is held back for longer: it is sent, and the service says when to retry. */
  constructor(maxWaitMs: number) {
    this.#maxWaitMs = maxWaitMs;
  }

  /** Milliseconds until the next attempt: 0 for now, `Infinity` to wait for a response. */
  waitMs(now: number): number {
    const opensInMs = this.opensInMs(now);
    if (opensInMs > 0) return opensInMs;
    return this.#trialSize === Infinity || this.#countTrials() < this.#trialSize ? 0 : Infinity;
  }

  /** Milliseconds that the service asked to wait; 0 if they are more than the client is willing to wait. */
  opensInMs(now: number): number {
    if (now < this.#closedUntil) return this.#closedUntil - now;
    const wait = this.#budget?.waitMs(now) ?? 0;
    return wait <= this.#maxWaitMs ? wait : 0;
  }

  send(sent: Sent): void {
    this.#lastSent = sent.number;
    this.#budget?.take();
    this.#unanswered.add(sent);
  }

  /** The attempt has its response. `closedMs`: it was rejected, and the service asks to wait so long. */
  answer(
    sent: Sent,
    headers: { get(name: string): string | null },
    now: number,
    closedMs?: number,
  ): void {
    this.#unanswered.delete(sent);
    const isStated = this.#correctBudget(sent, headers, now);
    if (closedMs !== undefined) {
      if (!isStated) this.#budget = undefined;
      if (closedMs <= this.#maxWaitMs) {
        this.#closedUntil = Math.max(this.#closedUntil, now + closedMs);
      }
      this.#trialSize = 1;
      this.#trialStart = this.#lastSent;
    } else if (sent.number > this.#trialStart) {
      const isFree = isStated || this.#trialStart === 0 || this.#trialSize >= ENOUGH;
      this.#trialSize = isFree ? Infinity : this.#trialSize + 1;
    }
  }

  /** The attempt ended, with or without a response. */
  end(sent: Sent): void {
    this.#unanswered.delete(sent);
  }

  /** No response came for a while, so nothing was rejected either. */
  allowMore(): void {
    // The first attempts and as many more show whether there is a limit near them.
    this.#trialSize *= this.#trialSize === FIRST_ATTEMPTS ? 2 : 8;
  }

  #countTrials(): number {
    let count = 0;
    for (const { number } of this.#unanswered) if (number > this.#trialStart) count += 1;
    return count;
  }

  /** Corrects the budget, unless a newer response already has. Returns whether the response states one. */
  #correctBudget(sent: Sent, headers: { get(name: string): string | null }, now: number): boolean {
    const facts = parseRateLimit(headers, 0);
    if (!facts) return false;
    if (sent.number < this.#correctedBy) return true;
    this.#correctedBy = sent.number;
    // The service has counted none of the later attempts, and perhaps not those sent just before this one.
    let uncounted = this.#lastSent - sent.number;
    for (const { number, sentAt } of this.#unanswered) {
      if (number < sent.number && sentAt > sent.sentAt - REORDER_MS) uncounted += 1;
    }
    this.#budget ??= createRateBudget(now);
    this.#budget.correct(facts, sent.sentAt, uncounted, now);
    if (!facts.limit && facts.remaining <= uncounted) {
      // Nobody said how much is allowed after the reset: one attempt finds out.
      this.#trialSize = 1;
      this.#trialStart = this.#lastSent;
    }
    return true;
  }
}
