import type { ErrorCode } from '../errors.ts';

/** Half of the upper bound of the first wait. */
const BASE_MS = 250;
const CAP_MS = 8000;

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
 * `Retry-After` in milliseconds from `now`; a date in the past is 0.
 * Only whole seconds or an IMF-fixdate since 1970 (RFC 9110) are read; anything else is `undefined`.
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,10}$/.test(value)) return Number(value) * 1000;
  const time = Date.parse(value);
  // False for NaN.
  if (time >= 0 && new Date(time).toUTCString() === value) return Math.max(0, time - now);
  return undefined;
}
