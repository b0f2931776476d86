import { finite, misconfigured } from '../../signing/errors.ts';

/** Runs one SQL query: `(text, params) => Promise<{ rows }>`, which every PostgreSQL client can offer. */
export type SqlQuery = (
  text: string,
  // A mutable array of exactly these types: some clients accept nothing wider.
  params: (string | number)[],
) => Promise<{
  /** The rows of the result. */
  rows: readonly unknown[];
}>;

/** The result of a claim: now ours, already done, or held by another attempt for at most `leftMs`. */
export type Claim =
  | {
      /** Claimed for this attempt. */
      readonly state: 'claimed';
    }
  | {
      /** Already handled. */
      readonly state: 'done';
    }
  | {
      /** Held by another attempt. */
      readonly state: 'in_flight';
      /** How long the other attempt holds it at most, in ms. */
      readonly leftMs: number;
    };

/**
 * Remembers deliveries: new → in flight, under a lease → done, until `ttlMs` has passed. Every call is atomic
 * across all processes that share the store. A store in memory can return a value instead of a promise.
 * If `claim` fails or takes longer than `storeTimeoutMs`, the handler responds 503 and the sender retries.
 */
export interface Dedupe {
  /** How long a claim holds without renewal, in ms. */
  readonly leaseMs: number;
  /** How long a handled delivery is remembered, in ms: at least twice the tolerance, if it is known. */
  readonly ttlMs?: number;
  /** Claims a delivery for an attempt. */
  claim(key: string, attemptId: string): Claim | Promise<Claim>;
  /** Extends the lease. Returns `false` when the attempt no longer holds it. */
  renew(key: string, attemptId: string): boolean | Promise<boolean>;
  /**
   * Marks the delivery as done, no matter who holds the lease: the effect has happened. If it fails, the handler tries
   * up to four times within `storeTimeoutMs`, then responds 200 anyway, because a retry would repeat the effect, and
   * keeps trying until the lease has expired.
   */
  complete(key: string, attemptId: string): void | Promise<void>;
  /** Frees what the attempt holds, so that the next delivery can claim it. */
  release(key: string, attemptId: string): void | Promise<void>;
  /**
   * Marks the delivery as done in a transaction of the caller, if the attempt still holds the lease.
   *
   * @throws LeaseLostError when it does not: the transaction must roll back.
   */
  commitWith?(query: SqlQuery, key: string, attemptId: string): Promise<void>;
  /** What is wrong with the set-up of the store, for the log. Called once, with the first claim. */
  findFault?(): Promise<string | undefined>;
}

/** A store of this package. */
export interface DedupeStore extends Dedupe {
  /**
   * Forgets that a delivery was handled, so that the next copy runs its callback: after a `PermanentError`, for
   * instance, once the cause is mended. Resolves to whether it was remembered as handled; one in flight is not touched.
   *
   * @param key - The `webhook-id`, or what `dedupeKey` returned; if the scheme signs no id, the SHA-256 of the body in hex.
   */
  forget(key: string): Promise<boolean>;
}

/** Times of a dedupe store. */
export interface DedupeTimes {
  /**
   * How long a claim survives the death of its process; it is renewed while the callback runs. In ms, at least
   * 1 000. @default 60_000
   */
  readonly leaseMs?: number;
  /**
   * How long a handled delivery is remembered, in ms, at least `leaseMs` and twice the tolerance. Must be longer than
   * the sender keeps retrying. @default 864_000_000 (10 days)
   */
  readonly ttlMs?: number;
}

export const timesRules = {
  leaseMs: finite('milliseconds', 1000),
  ttlMs: finite('milliseconds', 1000),
};

/** The times of a store, with their defaults. @throws WebhookConfigurationError */
export function readTimes({ leaseMs = 60_000, ttlMs = 864_000_000 }: DedupeTimes) {
  if (ttlMs < leaseMs)
    misconfigured(`ttlMs is ${ttlMs}`, `Pass at least leaseMs, which is ${leaseMs}.`);
  return { leaseMs, ttlMs };
}
