import type { RateLimitFacts } from '../types.ts';

/**
 * Reads `RateLimit: "name";r=<left>;t=<seconds>` and `RateLimit-Policy: "name";q=<limit>;w=<seconds>`
 * (draft-ietf-httpapi-ratelimit-headers). Takes the first limit and the policy of its name; `undefined` when absent or
 * malformed.
 */
export function parseRateLimit(
  headers: { get(name: string): string | null },
  now: number,
): RateLimitFacts | undefined {
  const [limit] = parseList(headers.get('ratelimit'));
  const { name: policy, r, t = 0 } = limit ?? {};
  if (!policy || r === undefined) return undefined;
  const found = parseList(headers.get('ratelimit-policy')).find(({ name }) => name === policy);
  return {
    policy,
    remaining: r,
    resetsAt: new Date(now + t * 1000),
    ...(found && { limit: found.q, windowSeconds: found.w }),
  };
}

/** An item: its name, and the parameters that are counts. */
type Item = Partial<Record<'q' | 'r' | 't' | 'w', number>> & { readonly name: string };

/** The items of a list that are a name in quotes; of their parameters, those that are whole numbers. */
function parseList(field: string | null): Item[] {
  const items = (field ?? '').matchAll(/(?:^|,)[ \t]*"([^"\\]*)"((?:;[^;,"]*(?:"[^"]*")?)*)/g);
  return Array.from(items, ([, name = '', parameters = '']) => {
    const counts = parameters.matchAll(/; *([qrtw])=(\d{1,15})(?![^;\s])/g);
    return { name, ...Object.fromEntries(Array.from(counts, ([, key, of]) => [key, Number(of)])) };
  });
}
