import type { RateLimitFacts } from '../types.ts';

/**
 * Reads `RateLimit: "name";r=<left>;t=<seconds>` and `RateLimit-Policy: "name";q=<limit>;w=<seconds>`
 * (draft-ietf-httpapi-ratelimit-headers), the first policy of each; `undefined` when absent or malformed.
 */
export function parseRateLimit(
  headers: { get(name: string): string | null },
  now: number,
): RateLimitFacts | undefined {
  const [policy, remaining, reset = 0] = parseItem(headers.get('ratelimit'), 'r', 't');
  if (policy === undefined || remaining === undefined) return undefined;
  const [name, limit, windowSeconds] = parseItem(headers.get('ratelimit-policy'), 'q', 'w');
  return {
    policy,
    remaining,
    resetsAt: new Date(now + reset * 1000),
    ...(name === policy && { limit, windowSeconds }),
  };
}

/** Name and two parameters of the first item of a structured list. */
function parseItem(
  value: string | null,
  ...keys: string[]
): [string | undefined, number | undefined, number | undefined] {
  const [, name, params = ''] =
    /^"([^"\\]+)"((?: *; *[a-z]+=\d+)+) *(?:,|$)/.exec(value ?? '') ?? [];
  const numbers = keys.map((key) => {
    const digits = new RegExp(`; *${key}=(\\d+)`).exec(params)?.[1];
    return digits === undefined ? undefined : Number(digits);
  });
  return [name, numbers[0], numbers[1]];
}
