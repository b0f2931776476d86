import type { ClientOptions } from './entry.ts';
import { later } from './service.ts';

/** How a service counts: what is left now, and the milliseconds until the next request and until all of it is there again. */
interface Counter {
  take(now: number): boolean;
  state(now: number): { left: number; nextMs: number; fullMs: number };
}

/** The three ways in which services limit a rate. */
export const counters: Record<string, (limit: number, windowMs: number) => Counter> = {
  'token bucket': (limit, windowMs) => {
    let left = limit;
    let at = performance.now();
    const perMs = limit / windowMs;
    const refill = (now: number) => {
      left = Math.min(limit, left + (now - at) * perMs);
      at = now;
    };
    return {
      take(now) {
        refill(now);
        if (left < 1) return false;
        left -= 1;
        return true;
      },
      state: () => ({ left, nextMs: (1 - left) / perMs, fullMs: (limit - left) / perMs }),
    };
  },
  'fixed window': (limit, windowMs) => {
    let window = 0;
    let count = 0;
    return {
      take(now) {
        const current = Math.floor(now / windowMs);
        if (current !== window) count = 0;
        window = current;
        if (count >= limit) return false;
        count += 1;
        return true;
      },
      state(now) {
        const endMs = (window + 1) * windowMs - now;
        return { left: limit - count, nextMs: endMs, fullMs: endMs };
      },
    };
  },
  'sliding window': (limit, windowMs) => {
    let taken: number[] = [];
    return {
      take(now) {
        taken = taken.filter((at) => at > now - windowMs);
        if (taken.length >= limit) return false;
        taken.push(now);
        return true;
      },
      state: (now) => ({
        left: limit - taken.length,
        nextMs: (taken[0] ?? now) + windowMs - now,
        fullMs: (taken[taken.length - 1] ?? now) + windowMs - now,
      }),
    };
  },
};

interface Limits {
  readonly limit: number;
  readonly windowSeconds: number;
  /** How long a response takes once the limit has let its request in. */
  readonly latencyMs?: number;
  readonly headers?: boolean;
  readonly counter?: string;
  /** Milliseconds, between 0 and this, that each request and each response is on the way. */
  readonly jitterMs?: number;
}

/** A service with a limit per credential, on the stopped clock. */
export function limited({
  limit,
  windowSeconds,
  latencyMs = 20,
  headers = true,
  counter = 'token bucket',
  jitterMs = 0,
}: Limits) {
  const byKey = new Map<string, Counter>();
  const sent: { key: string; path: string; at: number }[] = [];
  let inFlight = 0;
  let random = 1;
  const onTheWay = async () => {
    random = (random * 48_271) % 2_147_483_647;
    if (jitterMs > 0)
      await new Promise((resolve) => setTimeout(resolve, (random / 2_147_483_647) * jitterMs));
  };
  const fetch: ClientOptions['fetch'] = async (input, init) => {
    const request = new Request(input, init);
    const key = request.headers.get('x-api-key') ?? '';
    sent.push({ key, path: new URL(request.url).pathname, at: performance.now() });
    inFlight += 1;
    service.mostInFlight = Math.max(service.mostInFlight, inFlight);
    await onTheWay();
    const now = performance.now();
    const count = byKey.get(key) ?? counters[counter]?.(limit, windowSeconds * 1000);
    if (!count) throw new Error(counter);
    byKey.set(key, count);
    const isAccepted = count.take(now);
    const { left, nextMs, fullMs } = count.state(now);
    const facts = {
      'ratelimit-policy': `"default";q=${limit};w=${windowSeconds}`,
      ratelimit: `"default";r=${Math.floor(left)};t=${Math.ceil(fullMs / 1000)}`,
    };
    await new Promise((resolve) => setTimeout(resolve, isAccepted ? latencyMs : 5));
    await onTheWay();
    inFlight -= 1;
    if (isAccepted) return Response.json({ id: 'x', key: 'k' }, { headers: headers ? facts : {} });
    const retryAfter = `${Math.ceil(nextMs / 1000)}`;
    const { headers: rejection, json } = later(429, 'rate_limited', retryAfter);
    const all = { ...rejection, ...(headers && facts) };
    return new Response(JSON.stringify(json), { status: 429, headers: all });
  };
  const service = { sent, mostInFlight: 0, fetch };
  return service;
}
