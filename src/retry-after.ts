/** About 300 years; a `Date` can still hold the result. */
const MAX_SECONDS = 10_000_000_000;

/**
 * The `Retry-After` of a response in milliseconds. A date is read against the response's own `Date`, so a wrong clock on
 * either side does not matter; without one, against `now`.
 */
export function retryAfterOf(
  headers: { get(name: string): string | null },
  now: number,
): number | undefined {
  return parseRetryAfter(headers.get('retry-after'), parseHttpDate(headers.get('date')) ?? now);
}

/**
 * `Retry-After` in milliseconds from `now`; a date in the past is 0.
 * Only whole seconds or an IMF-fixdate since 1970 (RFC 9110) are read; anything else is `undefined`.
 */
export function parseRetryAfter(value: string | null | undefined, now: number): number | undefined {
  if (value && /^\d+$/.test(value)) return Math.min(Number(value), MAX_SECONDS) * 1000;
  const time = parseHttpDate(value);
  return time === undefined ? undefined : Math.max(0, time - now);
}

function parseHttpDate(value: string | null | undefined): number | undefined {
  const time = Date.parse(value ?? '');
  // False for NaN.
  return time >= 0 && new Date(time).toUTCString() === value ? time : undefined;
}
