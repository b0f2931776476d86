import type { RateLimitFacts } from '../types.ts';

/**
 * Reads `RateLimit: "name";r=<left>;t=<seconds>` and `RateLimit-Policy: "name";q=<limit>;w=<seconds>`
 * (draft-ietf-httpapi-ratelimit-headers), the first policy of each; `undefined` when absent or malformed.
 */
export function parseRateLimit(
  headers: { get(name: string): string | null },
  now: number,
): RateLimitFacts | undefined {
  const current = parseItem(headers.get('ratelimit'));
  if (current?.params['r'] === undefined) return undefined;
  const policy = parseItem(headers.get('ratelimit-policy'));
  const matching = policy?.name === current.name ? policy.params : {};
  return {
    policy: current.name,
    remaining: current.params['r'],
    resetsAt: new Date(now + (current.params['t'] ?? 0) * 1000),
    ...(matching['q'] !== undefined && { limit: matching['q'] }),
    ...(matching['w'] !== undefined && { windowSeconds: matching['w'] }),
  };
}

function parseItem(
  value: string | null,
): { name: string; params: Partial<Record<string, number>> } | undefined {
  const match = /^\s*"([^"\\]{1,64})"((?:\s*;\s*[a-z]+=[^;,]{1,64})*)\s*(?:,|$)/.exec(value ?? '');
  if (!match) return undefined;
  const params: Partial<Record<string, number>> = {};
  for (const [, key, digits] of (match[2] ?? '').matchAll(
    /;\s*([a-z]+)=(\d{1,12})(?=\s*(?:;|$))/g,
  )) {
    if (key !== undefined) params[key] = Number(digits);
  }
  return { name: match[1] ?? '', params };
}
