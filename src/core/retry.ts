import type { ErrorCode } from '../errors.ts';

/** Half of the first wait. */
const BASE_MS = 250;
const CAP_MS = 8000;

/** Codes whose verdict outranks the status. */
const worthwhile =
  /^(idempotency_in_progress|rate_limited|unavailable|connection_failed|(attempt|idle)_timeout)$/;
const pointless = /^(quota_exceeded|invalid_state|validation_failed)$/;

/** Whether another attempt can help: by code, then by status (408, 429, 5xx). */
export function isRetryable(code: ErrorCode, status = 0): boolean {
  if (pointless.test(code)) return false;
  return worthwhile.test(code) || status === 408 || status === 429 || status >= 500;
}

/** Full jitter: anywhere between 0 and 0.5 s doubling to 8 s. `retry` counts from 1; `random` is in [0, 1). */
export function backoffMs(retry: number, random: number): number {
  return Math.round(random * Math.min(CAP_MS, BASE_MS * 2 ** retry));
}

/**
 * `Retry-After` in milliseconds from `now`; a date in the past is 0. Strict: whole seconds or an IMF-fixdate (RFC 9110)
 * since 1970, anything else is `undefined`.
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,10}$/.test(value)) return Number(value) * 1000;
  const time = Date.parse(value);
  // Not where it is NaN.
  if (time >= 0 && new Date(time).toUTCString() === value) return Math.max(0, time - now);
  return undefined;
}
