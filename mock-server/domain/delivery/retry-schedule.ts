import { parseRetryAfter } from '../../../src/retry-after.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Milliseconds from each failed attempt to the next, before jitter. After the last one, the delivery has failed. */
export const retryDelays: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Milliseconds that one attempt can take: name resolution, connection, headers and body together. */
export const attemptTimeout = 15 * second;

const jitter = 0.2;
const longestRetryAfter = 24 * hour;

export interface Failure {
  /** Attempts made since the delivery was queued or last redelivered, including this one. */
  readonly attempts: number;
  readonly status?: number | undefined;
  /** The response's `Retry-After`, unparsed. */
  readonly retryAfter?: string | undefined;
}

/**
 * Milliseconds until the next attempt, or undefined if there is no further one.
 *
 * `fraction` in [0, 1) sets the jitter; `wall` is the receiver's current time, for a `Retry-After` with a date.
 */
export function nextDelay(failure: Failure, fraction: number, wall: number): number | undefined {
  const base = retryDelays[failure.attempts - 1];
  if (base === undefined) return undefined;
  const delay = Math.round(base * (1 - jitter + 2 * jitter * fraction));
  const mayAsk = failure.status === 429 || failure.status === 503;
  const asked = mayAsk ? parseRetryAfter(failure.retryAfter, wall) : undefined;
  return asked === undefined ? delay : Math.max(delay, Math.min(asked, longestRetryAfter));
}
