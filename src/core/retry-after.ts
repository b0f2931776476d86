import { now } from '../platform/driver.ts';

/** About 300 years; a `Date` can still hold the result. */
const MAX_SECONDS = 10_000_000_000;

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
