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
  const date = parseHttpDate(headers.get('date'), now);
  return parseRetryAfter(headers.get('retry-after'), date ?? now);
}

/**
 * `Retry-After` in milliseconds from `now`; a date in the past is 0. Only whole seconds or a date of HTTP since 1970 are
 * read; anything else is `undefined`.
 */
export function parseRetryAfter(value: string | null | undefined, now: number): number | undefined {
  if (value && /^\d+$/.test(value)) return Math.min(Number(value), MAX_SECONDS) * 1000;
  const time = parseHttpDate(value, now);
  return time === undefined ? undefined : Math.max(0, time - now);
}

/** The forms of a date in RFC 9110, section 5.6.7: IMF-fixdate, RFC 850 and asctime. All are in UTC. */
const dates = [
  /^\w{3}, (?<day>\d\d) (?<month>\w{3}) (?<year>\d{4}) (?<time>[\d:]{8}) GMT$/,
  /^\w{6,9}, (?<day>\d\d)-(?<month>\w{3})-(?<year>\d\d) (?<time>[\d:]{8}) GMT$/,
  /^\w{3} (?<month>\w{3}) (?<day>[ \d]\d) (?<time>[\d:]{8}) (?<year>\d{4})$/,
];

/** The time of a date as HTTP writes it. `now` decides the century of a year with two digits. */
function parseHttpDate(value: string | null | undefined, now: number): number | undefined {
  for (const form of dates) {
    const { day = '', month, year = '', time } = form.exec(value ?? '')?.groups ?? {};
    if (!month) continue;
    let fullYear = Number(year);
    if (year.length === 2) {
      // More than 50 years ahead means the century before.
      const latest = new Date(now).getUTCFullYear() + 50;
      fullYear += latest - (latest % 100);
      if (fullYear > latest) fullYear -= 100;
    }
    const text = `${value?.slice(0, 3)}, ${day.trim().padStart(2, '0')} ${month} ${fullYear} ${time} GMT`;
    const ms = Date.parse(text);
    // `Date.parse` ignores the day of the week and takes 31 February for 3 March. The comparison is false for NaN.
    if (ms >= 0 && new Date(ms).toUTCString() === text) return ms;
  }
  return undefined;
}
