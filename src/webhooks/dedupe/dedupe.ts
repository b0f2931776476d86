/** A query as every PostgreSQL client can offer it; `rows` in the order of the result. */
export type SqlQuery = (
  text: string,
  // Mutable and of these two alone: clients' own types of parameters take no less.
  params: (string | number)[],
) => Promise<{ rows: readonly unknown[] }>;

/** What a claim found: free and now ours, done before, or held by another attempt for `leftMs` at most. */
export type Claim =
  | { readonly state: 'claimed' }
  | { readonly state: 'done' }
  | { readonly state: 'in_flight'; readonly leftMs: number };

/**
 * The memory of what was received: new → in flight, under a lease → done, until its time is over.
 * Every call is atomic across all processes that share the store. A `claim` that rejects is a store out of
 * order: the delivery is answered 503 and comes again.
 */
export interface Dedupe {
  /** How long a claim holds without renewal, ms. */
  readonly leaseMs: number;
  claim(key: string, attemptId: string): Promise<Claim>;
  /** Extends the lease; `false` when the attempt holds it no more. */
  renew(key: string, attemptId: string): Promise<boolean>;
  /**
   * Marks as done, whoever holds the lease: the effect has happened. While it rejects, the handler asks up
   * to four times in 2.1 s; then it answers 200 all the same, for a refusal would repeat the effect for certain.
   */
  complete(key: string, attemptId: string): Promise<void>;
  /** Frees what the attempt holds, so that the next delivery tries again. */
  release(key: string, attemptId: string): Promise<void>;
  /**
   * Marks as done through a transaction of the caller, if the attempt still holds the lease.
   *
   * @throws LeaseLostError when it does not: the transaction must roll back.
   */
  commitWith?(query: SqlQuery, key: string, attemptId: string): Promise<void>;
}

/** Times of a dedupe store. */
export interface DedupeTimes {
  /** How long a claim holds when its process dies; renewed while a callback runs. ms, 1 000 or more. @default 60_000 */
  readonly leaseMs?: number;
  /** How long a done delivery is remembered; longer than the sender's whole retry schedule. ms. @default 864_000_000 (10 days) */
  readonly ttlMs?: number;
}

/** The attempt's lease ran out and another took over: roll back, the other one counts. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';
  readonly code = 'webhook_lease_lost';

  constructor() {
    super('The lease was lost: roll back.');
  }
}
