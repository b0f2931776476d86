import { elapsed } from '../platform/driver.ts';
import { type Deadline, startTimer } from './deadline.ts';
import type { Failure } from './failure.ts';
import { type Sent, ServiceLimit } from './service-limit.ts';

/**
 * After this long without a response, more attempts are sent: rejections come fast, results can be slow. It is counted in
 * turns of a timer, because an event loop that is busy is late with both, the timer and the responses. The second wait is
 * the longest: a limit that the first attempts kept has time to reject one of the next.
 */
const TURN_MS = 5;
const SILENT_TURNS = 20;
const FIRST_SILENT_TURNS = 10;

/** The permission to send one attempt. */
export interface Turn {
  /** Reads what a response says about the limit. After a rejection, nothing is sent for `closedMs`, then one attempt. */
  answered(headers: { get(name: string): string | null }, closedMs?: number): void;
  /** The attempt is over, or its stream is closed. */
  release(): void;
  /** Fails the calls that wait for a free slot: the reader of a stream may wait for one of them. False if none do. */
  endWaits(): boolean;
}

export interface PacerOptions {
  /** Whether to wait when the service says that nothing is left. */
  readonly pacing: boolean;
  readonly concurrency: number;
  /** Milliseconds that the rate limit holds a call back at most. */
  readonly maxRetryAfter: number;
}

interface Waiting {
  readonly order: number;
  readonly since: number;
  readonly resolve: (outcome: Turn | Failure) => void;
}

/**
 * Lets the attempts of one credential through in order: no more at once than `concurrency`, and as fast as the service
 * allows.
 */
export class Pacer {
  readonly #concurrency: number;
  readonly #longestMs: number;
  readonly #limit: ServiceLimit | undefined;
  readonly #queue: Waiting[] = [];
  readonly #inFlight = new Set<Sent>();
  #sent = 0;
  #announcedUntil = 0;
  /** How many turns the silence has lasted. */
  #silentTurns = 0;
  #mostSilentTurns = FIRST_SILENT_TURNS;
  #cancelTurn: (() => void) | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor({ pacing, concurrency, maxRetryAfter }: PacerOptions) {
    this.#concurrency = concurrency;
    this.#longestMs = maxRetryAfter;
    this.#limit = pacing ? new ServiceLimit(maxRetryAfter) : undefined;
  }

  /** Returns a turn now, or `undefined` if the attempt has to wait. */
  tryEnter(): Turn | undefined {
    const now = elapsed();
    return this.#queue.length === 0 && this.#waitMs(now) === 0 ? this.#grant(now) : undefined;
  }

  /** Waits for a turn, until the deadline ends. */
  enter(order: number, deadline: Deadline): Promise<Turn | Failure> {
    return new Promise((resolve) => {
      const stopListening = deadline.onEnd((failure) => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        resolve(failure.code === 'deadline_exceeded' ? { ...failure, hint: stillQueued } : failure);
      });
      const waiting: Waiting = {
        order,
        since: elapsed(),
        resolve: (outcome) => {
          stopListening();
          resolve(outcome);
        },
      };
      const index = this.#queue.findLastIndex((other) => other.order < order) + 1;
      this.#queue.splice(index, 0, waiting);
      this.#drain();
    });
  }

  /** Milliseconds until the service lets anything through; 0 if it does now. */
  opensInMs(): number {
    return this.#limit?.opensInMs(elapsed()) ?? 0;
  }

  /** Whether a pause longer than `ms` has begun that was not announced yet, so that it is logged only once. */
  announces(ms: number): boolean {
    const now = elapsed();
    const wait = this.opensInMs();
    if (wait <= ms || now < this.#announcedUntil) return false;
    this.#announcedUntil = now + wait;
    return true;
  }

  /** 0 to send now, `Infinity` to wait for a response or for the end of an attempt. */
  #waitMs(now: number): number {
    if (this.#inFlight.size >= this.#concurrency) return Infinity;
    return this.#limit?.waitMs(now) ?? 0;
  }

  #grant(now: number): Turn {
    this.#sent += 1;
    const sent: Sent = { number: this.#sent, sentAt: now };
    this.#inFlight.add(sent);
    this.#limit?.send(sent);
    return {
      answered: (headers, closedMs) => {
        this.#limit?.answer(sent, headers, elapsed(), closedMs);
        this.#drain();
      },
      release: () => {
        this.#limit?.end(sent);
        if (this.#inFlight.delete(sent)) this.#drain();
      },
      endWaits: () => {
        if (this.#queue.length === 0 || this.#inFlight.size < this.#concurrency) return false;
        const failure = { code: 'idle_timeout', hint: noSlot } as const;
        for (const { resolve } of this.#queue.splice(0)) resolve(failure);
        return true;
      },
    };
  }

  /** Lets through what can be sent now and sets the timer for what can be sent later. */
  #drain(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    for (let [next] = this.#queue; next; [next] = this.#queue) {
      const now = elapsed();
      const wait = this.#waitMs(now);
      if (wait === 0) {
        this.#endSilence();
        this.#queue.shift();
        next.resolve(this.#grant(now));
      } else if (wait < Infinity && now + wait - next.since > this.#longestMs) {
        this.#queue.shift();
        next.resolve({ code: 'rate_limited', status: 429, retryAfterMs: wait, hint: heldTooLong });
      } else {
        if (wait < Infinity) {
          this.#cancelTimer = startTimer(Math.ceil(wait), () => this.#drain());
        } else if (this.#inFlight.size < this.#concurrency) this.#countSilence();
        return;
      }
    }
  }

  /** Lets more attempts through after some turns, unless a response does before. */
  #countSilence(): void {
    this.#cancelTurn ??= startTimer(TURN_MS, () => {
      this.#cancelTurn = undefined;
      this.#silentTurns += 1;
      if (this.#silentTurns === this.#mostSilentTurns) {
        this.#silentTurns = 0;
        this.#mostSilentTurns = SILENT_TURNS;
        this.#limit?.allowMore();
      }
      this.#drain();
    });
  }

  #endSilence(): void {
    this.#cancelTurn?.();
    this.#cancelTurn = undefined;
    this.#silentTurns = 0;
  }
}

const heldTooLong =
  'Not sent: the rate limit would hold the call back for longer than `maxRetryAfter`.';
const stillQueued = 'The call was still queued. See the options pacing and concurrency.';
const noSlot =
  'A stream that nobody reads has kept its slot of `concurrency` for `idleTimeout`. If this call was made inside the loop of the stream, make it after the loop, or raise `concurrency`.';

/** How many pacers are kept at once. */
const MAX_PACERS = 1000;

/** The pacers of a client and its copies: one per credential, so that one tenant's limit never holds up another. */
export class Pacers {
  readonly #options: PacerOptions;
  readonly #byCredential = new Map<string, Pacer>();
  #calls = 0;

  constructor(options: PacerOptions) {
    this.#options = options;
  }

  /** The position of a call in every queue; its retries keep it. */
  nextOrder(): number {
    this.#calls += 1;
    return this.#calls;
  }

  /** The pacer of a credential; `undefined` if there is nothing to wait for. */
  of(credential: string): Pacer | undefined {
    const { pacing, concurrency } = this.#options;
    if (!pacing && concurrency === Infinity) return undefined;
    const pacer = this.#byCredential.get(credential) ?? new Pacer(this.#options);
    // The one just used moves to the end; the least recently used one is dropped.
    this.#byCredential.delete(credential);
    this.#byCredential.set(credential, pacer);
    if (this.#byCredential.size > MAX_PACERS) {
      this.#byCredential.delete(this.#byCredential.keys().next().value as string);
    }
    return pacer;
  }
}
