import type { ClientOptions } from './entry.ts';
import { later } from './service.ts';

interface Limits {
  readonly limit: number;
  readonly windowSeconds: number;
  /** How long a response takes once the limit has let its request in. */
  readonly latencyMs?: number;
  readonly headers?: boolean;
}

/** A service with a token bucket per credential, on the stopped clock. */
export function limited({ limit, windowSeconds, latencyMs = 20, headers = true }: Limits) {
  const buckets = new Map<string, { left: number; at: number }>();
  const perMs = limit / windowSeconds / 1000;
  const sent: { key: string; path: string; at: number }[] = [];
  let inFlight = 0;
  const fetch: ClientOptions['fetch'] = async (input, init) => {
    const request = new Request(input, init);
    const key = request.headers.get('x-api-key') ?? '';
    const now = performance.now();
    const bucket = buckets.get(key) ?? { left: limit, at: now };
    bucket.left = Math.min(limit, bucket.left + (now - bucket.at) * perMs);
    bucket.at = now;
    buckets.set(key, bucket);
    const isAccepted = bucket.left >= 1;
    if (isAccepted) bucket.left -= 1;
    sent.push({ key, path: new URL(request.url).pathname, at: now });
    inFlight += 1;
    service.mostInFlight = Math.max(service.mostInFlight, inFlight);
    const facts = {
      'ratelimit-policy': `"default";q=${limit};w=${windowSeconds}`,
      ratelimit: `"default";r=${Math.floor(bucket.left)};t=${Math.ceil((limit - bucket.left) / perMs / 1000)}`,
    };
    await new Promise((resolve) => setTimeout(resolve, isAccepted ? latencyMs : 5));
    inFlight -= 1;
    if (isAccepted) return Response.json({ id: 'x', key: 'k' }, { headers: headers ? facts : {} });
    const { headers: rejection, json } = later(
      429,
      'rate_limited',
      `${Math.ceil((1 - bucket.left) / perMs / 1000)}`,
    );
    const all = { ...rejection, ...(headers && facts) };
    return new Response(JSON.stringify(json), { status: 429, headers: all });
  };
  const service = { sent, mostInFlight: 0, fetch };
  return service;
}
