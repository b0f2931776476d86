import type { ErrorCode } from '../errors.ts';

const BASE_MS = 500;
const CAP_MS = 8000;

/** The service's own verdict outranks the status. */
const verdicts: ReadonlyMap<ErrorCode, boolean> = new Map<ErrorCode, boolean>([
  ['idempotency_in_progress', true],
  ['rate_limited', true],
  ['unavailable', true],
  ['connection_failed', true],
  ['attempt_timeout', true],
  ['idle_timeout', true],
  ['quota_exceeded', false],
  ['invalid_state', false],
  ['validation_failed', false],
  ['idempotency_key_reused', false],
  ['model_not_found', false],
  ['unexpected_redirect', false],
  ['invalid_response', false],
  ['aborted', false],
  ['deadline_exceeded', false],
]);

/** Whether another attempt can help: by code, then by status (408, 429, 5xx). */
export function isRetryable(code: ErrorCode, status: number | undefined): boolean {
  const verdict = verdicts.get(code);
  if (verdict !== undefined) return verdict;
  return status !== undefined && (status === 408 || status === 429 || status >= 500);
}

/** Full jitter: anywhere between 0 and 0.5 s doubling to 8 s. `retry` counts from 1; `random` is in [0, 1). */
export function backoffMs(retry: number, random: number): number {
  return Math.round(random * Math.min(CAP_MS, BASE_MS * 2 ** (retry - 1)));
}

/**
 * `Retry-After` in milliseconds from `now`; a date in the past is 0. Strict: whole seconds or an IMF-fixdate (RFC 9110),
 * anything else is `undefined`.
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,10}$/.test(value)) return Number(value) * 1000;
  const time = Date.parse(value);
  if (Number.isNaN(time) || new Date(time).toUTCString() !== value) return undefined;
  return Math.max(0, time - now);
}
