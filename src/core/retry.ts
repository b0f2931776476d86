import type { ErrorCode } from '../errors.ts';
import { now } from '../platform/driver.ts';

/** Half of the upper bound of the first wait. */
const BASE_MS = 250;
const CAP_MS = 8000;
/** About 300 years: any `Date` from now on can hold it. */
const MAX_SECONDS = 10_000_000_000;

/** These codes decide regardless of the status. */
const retryable =
  /^(idempotency_in_progress|rate_limited|unavailable|connection_failed|(attempt|idle)_timeout)$/;
const final = /^(quota_exceeded|invalid_state|response_too_large|validation_failed)$/;

/** Whether another attempt can help: decided by code, then by status (408, 429, 5xx). */
export function isRetryable(code: ErrorCode, status = 0): boolean {
  if (final.test(code)) return false;
  return retryable.test(code) || status === 408 || status === 429 || status >= 500;
}

/** Full jitter: between 0 and an upper bound that doubles from 0.5 s to 8 s. `retry` counts from 1; `random` is in [0, 1). */
export function backoffMs(retry: number, random: number): number {
  return Math.round(random * Math.min(CAP_MS, BASE_MS * 2 ** retry));
}

/**
 * The wait before asking again for the response of a POST that is still running, in ms: 1 s growing to 8 s, ±20 %.
 * `n` counts from 1; `random` is in [0, 1).
 */
export function stillRunningMs(n: number, random: number): number {
  return Math.round(Math.min(CAP_MS, 1000 * 1.5 ** (n - 1)) * (0.8 + 0.4 * random));
}

/**
 * `Retry-After` in milliseconds. A date is read against the response's own `Date`, so a wrong clock on either side does
 * not matter; without one, against the local clock.
 */
export function retryAfterOf(headers: { get(name: string): string | null }): number | undefined {
  const sentAt = parseHttpDate(headers.get('date')) ?? now();
  return parseRetryAfter(headers.get('retry-after'), sentAt);
}

/**
 * `Retry-After` in milliseconds from `now`; a date in the past is 0.
 * Only whole seconds or an IMF-fixdate since 1970 (RFC 9110) are read; anything else is `undefined`.
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Math.min(Number(value), MAX_SECONDS) * 1000;
  const time = parseHttpDate(value);
  return time === undefined ? undefined : Math.max(0, time - now);
}

function parseHttpDate(value: string | null): number | undefined {
  const time = Date.parse(value ?? '');
  // False for NaN.
  return time >= 0 && new Date(time).toUTCString() === value ? time : undefined;
}
