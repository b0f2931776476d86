import { now } from '../platform/driver.ts';
import { retryAfterOf } from '../retry-after.ts';
import { parseRateLimit } from './rate-limit-headers.ts';

export interface Limit {
  readonly retryAfterMs?: number | undefined;
  /** How many requests are left, until `resetMs` from now. */
  readonly remaining?: number | undefined;
  readonly resetMs?: number | undefined;
}

type Headers = { get(name: string): string | null };

/** Reads `Retry-After`, `RateLimit`, `RateLimit-*` and `x-ratelimit-*`; the last also with OpenAI's names and durations. */
export function readLimit(headers: Headers): Limit {
  const retryAfterMs = retryAfterOf(headers, now());
  const known = parseRateLimit(headers, now());
  if (known) {
    const { remaining, resetsAt } = known;
    return { retryAfterMs, remaining, resetMs: resetsAt.getTime() - now() };
  }
  for (const [prefix, suffix] of names) {
    const remaining = headers.get(`${prefix}-remaining${suffix}`);
    if (!/^\d+$/.test(remaining ?? '')) continue;
    const resetMs = toMs(headers.get(`${prefix}-reset${suffix}`) ?? '');
    // A number of tokens says nothing about requests, unless none is left.
    if (suffix === '-tokens' && Number(remaining) > 0) continue;
    return { retryAfterMs, remaining: Number(remaining), resetMs };
  }
  return { retryAfterMs };
}

const names = [
  ['ratelimit', ''],
  ['x-ratelimit', '-tokens'],
  ['x-ratelimit', '-requests'],
  ['x-ratelimit', ''],
] as const;

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of `6m0s`, of seconds, or until a time in seconds since 1970. */
function toMs(text: string): number | undefined {
  if (/^\d+(\.\d+)?$/.test(text)) {
    const seconds = Number(text);
    return seconds > 1e9 ? Math.max(0, seconds * 1000 - now()) : seconds * 1000;
  }
  if (!/^(\d+(\.\d+)?(ms|[smh]))+$/.test(text)) return undefined;
  let ms = 0;
  for (const [, number, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smh])/gy)) {
    ms += Number(number) * (units[unit] ?? 0);
  }
  return ms;
}
