import { elapsed } from '../platform/driver.ts';
import { type Deadline, startTimer } from './deadline.ts';
import { createRateBudget, type RateBudget } from './rate-budget.ts';
import { parseRateLimit } from './rate-limit-headers.ts';

/** Attempts in flight at once until the first response has said whether there is a limit. */
const FIRST_ATTEMPTS = 16;
/** After this long without a response, more attempts are sent: rejections come fast, results may be slow. */
const SILENCE_MS = 150;
/** A timer that is this late shows that the process is busy. */
const LATE_MS = 10;
const GROWTH = 1.5;
/** This many attempts in flight without a rejection show that no limit is near. */
const ENOUGH = 64;
/** Attempts sent this close together may arrive in a different order. */
const REORDER_MS = 250;

/** The permission to send one attempt. */
export interface Turn {
  /** Reads what a response says about the limit. After a rejection, nothing is sent for `closedMs`, then one attempt. */
  answered(headers: { get(name: string): string | null }, closedMs?: number): void;
  /** The attempt is over, or its stream is closed. */
  release(): void;
}

export interface PacerLimits {
  /** Whether to wait when the service says that nothing is left. */
  readonly pacing: boolean;
  readonly concurrency: number;
  /** No attempt is held back for longer than this: it is sent, and the service says when to retry. */
  readonly maxRetryAfter: number;
}

interface Sent {
  readonly number: number;
  readonly sentAt: number;
}
interface Waiting {
  readonly order: number;
  readonly resolve: (turn: Turn | undefined) => void;
}

/** Lets the attempts of one credential through in order: as many at once and as fast as the service allows. */
export class Pacer {
  readonly #limits: PacerLimits;
  readonly #queue: Waiting[] = [];
  readonly #unanswered = new Set<Sent>();
  readonly #inFlight = new Set<Sent>();
  #calls = 0;
  #sent = 0;
  /** The newest attempt whose response was read. */
  #latest = 0;
  #budget: RateBudget | undefined;
  #closedUntil = 0;
  /** How many attempts without a response are allowed since `#windowStart` while the limit is unknown. */
  #window = FIRST_ATTEMPTS;
  #windowStart = 0;
  /** When the window widens if no response arrives first. */
  #widensAt: number | undefined;
  #announcedUntil = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(limits: PacerLimits) {
    this.#limits = limits;
  }

  /** The position of a call in the queue; its retries keep it. */
  nextOrder(): number {
    this.#calls += 1;
    return this.#calls;
  }

  /** Returns a turn now, or `undefined` if the attempt has to wait. */
  tryEnter(): Turn | undefined {
    const now = elapsed();
    return this.#queue.length === 0 && this.#waitMs(now) === 0 ? this.#grant(now) : undefined;
  }

  /** Waits for a turn; `undefined` if the deadline ends first. */
  enter(order: number, deadline: Deadline): Promise<Turn | undefined> {
    return new Promise((resolve) => {
      const stopListening = deadline.onEnd(() => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        resolve(undefined);
      });
      const waiting: Waiting = {
        order,
        resolve: (turn) => {
          stopListening();
          resolve(turn);
        },
      };
      const index = this.#queue.findLastIndex((other) => other.order < order) + 1;
      this.#queue.splice(index, 0, waiting);
      this.#drain();
    });
  }

  /** Milliseconds until the service lets anything through; 0 if it does now. */
  opensInMs(): number {
    return this.#limitMs(elapsed());
  }

  /** Whether a pause longer than `ms` has begun that was not announced yet, so that it is logged only once. */
  announces(ms: number): boolean {
    const now = elapsed();
    const wait = this.opensInMs();
    if (wait <= ms || now < this.#announcedUntil) return false;
    this.#announcedUntil = now + wait;
    return true;
  }

  #answered(sent: Sent, headers: { get(name: string): string | null }, closedMs?: number): void {
    this.#unanswered.delete(sent);
    if (!this.#limits.pacing) return;
    const isKnown = this.#learn(sent, headers);
    if (closedMs !== undefined) {
      if (!isKnown) this.#budget = undefined;
      if (closedMs <= this.#limits.maxRetryAfter) {
        this.#closedUntil = Math.max(this.#closedUntil, elapsed() + closedMs);
      }
      this.#window = 1;
      this.#windowStart = this.#sent;
    } else if (sent.number > this.#windowStart) {
      const isFree = isKnown || this.#windowStart === 0 || this.#window >= ENOUGH;
      this.#window = isFree ? Infinity : this.#window * 2;
    }
    this.#drain();
  }

  /** Corrects the budget, unless a newer response already has. Returns whether the response states one. */
  #learn(turn: Sent, headers: { get(name: string): string | null }): boolean {
    const facts = parseRateLimit(headers, 0);
    if (!facts) return false;
    if (turn.number < this.#latest) return true;
    this.#latest = turn.number;
    let uncounted = this.#sent - turn.number;
    for (const { number, sentAt } of this.#unanswered) {
      if (number < turn.number && sentAt > turn.sentAt - REORDER_MS) uncounted += 1;
    }
    const now = elapsed();
    this.#budget ??= createRateBudget(now);
    this.#budget.correct(facts, turn.sentAt, uncounted, now);
    return true;
  }

  /** 0 to send now, `Infinity` to wait for a response. */
  #waitMs(now: number): number {
    if (this.#inFlight.size >= this.#limits.concurrency) return Infinity;
    const limitMs = this.#limitMs(now);
    if (limitMs > 0 || !this.#limits.pacing || this.#window === Infinity) return limitMs;
    return this.#unknown() < this.#window ? 0 : Infinity;
  }

  /** The wait that the service asked for; 0 if it is longer than the client is willing to wait. */
  #limitMs(now: number): number {
    if (now < this.#closedUntil) return this.#closedUntil - now;
    const wait = this.#budget?.waitMs(now) ?? 0;
    return wait <= this.#limits.maxRetryAfter ? wait : 0;
  }

  #unknown(): number {
    let count = 0;
    for (const { number } of this.#unanswered) if (number > this.#windowStart) count += 1;
    return count;
  }

  #grant(now: number): Turn {
    this.#sent += 1;
    this.#budget?.take();
    const sent = { number: this.#sent, sentAt: now };
    this.#inFlight.add(sent);
    if (this.#limits.pacing) this.#unanswered.add(sent);
    return {
      answered: (headers, closedMs) => this.#answered(sent, headers, closedMs),
      release: () => {
        this.#unanswered.delete(sent);
        if (this.#inFlight.delete(sent)) this.#drain();
      },
    };
  }

  /** Lets through what may be sent now and sets the timer for what may be sent later. */
  #drain(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    while (this.#queue.length > 0) {
      const now = elapsed();
      const wait = this.#waitMs(now);
      if (wait > 0) {
        this.#wakeIn(wait, now);
        return;
      }
      this.#widensAt = undefined;
      this.#queue.shift()?.resolve(this.#grant(now));
    }
  }

  #wakeIn(wait: number, now: number): void {
    if (wait < Infinity) {
      this.#cancelTimer = startTimer(Math.ceil(wait), () => this.#drain());
    } else if (this.#inFlight.size < this.#limits.concurrency) {
      this.#widensAt ??= now + SILENCE_MS;
      const widensAt = this.#widensAt;
      this.#cancelTimer = startTimer(Math.max(0, widensAt - now), () => {
        this.#widensAt = undefined;
        // A process that runs its timers late reads its responses late too: that does not count as silence.
        const isBusy = elapsed() > widensAt + LATE_MS;
        if (!isBusy) this.#window = Math.ceil(this.#window * GROWTH);
        this.#drain();
      });
    }
  }
}

/** How many pacers are kept for copies of a client with other credentials. */
const MAX_PACERS = 1000;

/** Finds the pacer of a credential; `undefined` if there is nothing to wait for. */
export type PacerOf = (credential: unknown) => Pacer | undefined;

/** The pacers of a client and its copies: one per credential, so that one tenant's limit never holds up another. */
export function createPacers(limits: PacerLimits): PacerOf {
  const byCredential = new Map<unknown, Pacer>();
  return (credential) => {
    if (!limits.pacing && limits.concurrency === Infinity) return undefined;
    const pacer = byCredential.get(credential) ?? new Pacer(limits);
    // The one just used moves to the end; the least recently used one is dropped.
    byCredential.delete(credential);
    byCredential.set(credential, pacer);
    if (byCredential.size > MAX_PACERS) byCredential.delete(byCredential.keys().next().value);
    return pacer;
  };
}
