import type { RateLimitFacts } from '../types.ts';

/**
 * Reads `RateLimit: "name";r=<left>;t=<seconds>` and `RateLimit-Policy: "name";q=<limit>;w=<seconds>`
 * (draft-ietf-httpapi-ratelimit-headers). Takes the first policy of each; `undefined` when absent or malformed.
 */
export function parseRateLimit(
  headers: { get(name: string): string | null },
  now: number,
): RateLimitFacts | undefined {
  const { policy, r, t = 0 } = parseItem(headers.get('ratelimit'));
  if (policy === undefined || r === undefined) return undefined;
  const { policy: other, q, w } = parseItem(headers.get('ratelimit-policy'));
  return {
    policy,
    remaining: r,
    resetsAt: new Date(now + t * 1000),
    ...(other === policy && { limit: q, windowSeconds: w }),
  };
}

interface Item extends Partial<Record<'q' | 'r' | 't' | 'w', number>> {
  policy: string | undefined;
}

/** The first item of a structured list: its name and its integer parameters. */
function parseItem(value: string | null): Item {
  // Most services send none: looking is cheaper than parsing.
  if (value === null) return { policy: undefined };
  const [, policy, params = ''] = /^"([^"\\]+)"((?: *; *[a-z]+=\d+)+) *(?:,|$)/.exec(value) ?? [];
  const item: Item = { policy };
  for (const [, name, digits] of params.matchAll(/\b([a-z])=(\d+)/g)) {
    item[name as 'q'] = Number(digits);
  }
  return item;
}
