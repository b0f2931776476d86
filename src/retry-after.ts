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
  const date = parseHttpDate(headers.get('date'));
  return parseRetryAfter(headers.get('retry-after'), date ?? now);
}

/**
 * `Retry-After` in milliseconds from `now`; a date in the past is 0. Only whole seconds or a date of HTTP since 1970 are
 * read; anything else is `undefined`.
 */
export function parseRetryAfter(value: string | null | undefined, now: number): number | undefined {
  if (value && /^\d+$/.test(value)) return Math.min(Number(value), MAX_SECONDS) * 1000;
  const time = parseHttpDate(value);
  return time === undefined ? undefined : Math.max(0, time - now);
}

/** The time of a date as HTTP writes it: IMF-fixdate (RFC 9110, section 5.6.7), in UTC. */
function parseHttpDate(value: string | null | undefined): number | undefined {
  const ms = Date.parse(value ?? '');
  // `Date.parse` reads other forms too, and takes 31 February for 3 March. The comparison is false for NaN.
  return ms >= 0 && new Date(ms).toUTCString() === value ? ms : undefined;
}
