import FakeTimers from '@sinonjs/fake-timers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ClientOptions } from './support/entry.ts';
import { counters, limited } from './support/limited.ts';
import { clientOf, later, problem, scriptedService, stopClock, turns } from './support/service.ts';

/** Moves the stopped clock until all promises have settled. */
async function run<T>(promises: Promise<T>[]): Promise<T[]> {
  let settled = false;
  const all = Promise.all(promises).finally(() => {
    settled = true;
  });
  all.catch(() => {});
  while (!settled) await vi.advanceTimersByTimeAsync(5);
  return all;
}

const clientFor = (fetch: ClientOptions['fetch'], options: Partial<ClientOptions> = {}) =>
  clientOf(scriptedService(), { fetch, ...options }).client;

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe('pacing', () => {
  test.each([
    ['a fast service', 20],
    ['a service to which connections take 70 ms', 70],
    ['a service that takes 2 s per call', 2000],
  ])('150 calls at once against 20 per second all succeed with %s', async (_, latencyMs) => {
    stopClock();
    const service = limited({ limit: 20, windowSeconds: 1, latencyMs });
    const client = clientFor(service.fetch);
    const outcomes = await run(times(150, () => client.apiKeys.create().safe()));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(150);
    expect(service.sent.length).toBeLessThanOrEqual(165);
    expect(performance.now()).toBeLessThan(15_000);
  });

  const ways = Object.keys(counters).flatMap((counter) =>
    [5, 70, 400].map((latencyMs) => [counter, latencyMs] as const),
  );
  test.each(ways)(
    'also with a %s, calls of %d ms and a network that takes 0 to 30 ms each way',
    async (counter, latencyMs) => {
      stopClock();
      const service = limited({ limit: 20, windowSeconds: 1, latencyMs, counter, jitterMs: 30 });
      const client = clientFor(service.fetch);
      const outcomes = await run(times(150, () => client.apiKeys.create().safe()));
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(150);
      expect(service.sent.length).toBeLessThanOrEqual(170);
    },
  );

  test('without it, most of the same calls fail', async () => {
    stopClock();
    const service = limited({ limit: 20, windowSeconds: 1 });
    const client = clientFor(service.fetch, { pacing: false });
    const outcomes = await run(times(150, () => client.apiKeys.create().safe()));
    expect(outcomes.filter(({ ok }) => ok).length).toBeLessThan(100);
    expect(service.sent.length).toBeGreaterThan(300);
  });

  test('calls are sent in the order in which they were made', async () => {
    stopClock();
    const service = limited({ limit: 5, windowSeconds: 1 });
    const client = clientFor(service.fetch);
    await run(times(30, (index) => client.apiKeys.get(`key_${index}`)));
    const firsts = [...new Set(service.sent.map(({ path }) => path))];
    expect(firsts).toEqual(times(30, (index) => `/api/auth/api-keys/key_${index}`));
  });

  test('after a 429 nothing is sent until the window opens, then one probe', async () => {
    stopClock();
    const service = scriptedService();
    let hold = (): void => {};
    service.script(later(429, 'rate_limited', '10'), { json: {} });
    const { client } = clientOf(service, {
      fetch: async (input, init) => {
        if (service.seen.length === 1) {
          await new Promise<void>((resolve) => {
            hold = resolve;
          });
        }
        return service.fetch?.(input, init) as Promise<Response>;
      },
    });
    const first = client.usage.get();
    await turns(20);
    const others = times(5, () => client.usage.get());
    await vi.advanceTimersByTimeAsync(9999);
    expect(service.seen).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(service.seen).toHaveLength(1);
    hold();
    await run([first, ...others]);
    expect(service.seen).toHaveLength(7);
  });

  test('a call whose turn comes after its deadline fails at once and says when to try again', async () => {
    stopClock();
    const service = scriptedService();
    service.script(later(429, 'rate_limited', '30'), { json: {} });
    const { client, retries } = clientOf(service);
    const first = client.usage.get();
    await turns(20);
    const before = Date.now();
    const { error } = await client.usage.get({ deadline: 5000 }).safe();
    expect(error).toMatchObject({
      name: 'RateLimitError',
      code: 'rate_limited',
      retryAt: new Date(before + 30_000),
      attempts: [],
      message: expect.stringContaining('Not sent'),
    });
    expect(service.seen).toHaveLength(1);
    await run([first]);
    expect(retries).toHaveLength(1);
  });

  test('a deadline, or a signal, ends the wait for a turn', async () => {
    stopClock();
    const service = scriptedService();
    service.script({ fault: 'hang' });
    const { client } = clientOf(service, { concurrency: 1 });
    const holder = new AbortController();
    const first = client.usage.get({ signal: holder.signal }).safe();
    const controller = new AbortController();
    const late = client.usage.get({ deadline: 1000 }).safe();
    const aborted = client.usage.get({ signal: controller.signal }).safe();
    await turns(20);
    controller.abort();
    expect((await aborted).error).toMatchObject({ code: 'aborted', attempts: [] });
    await vi.advanceTimersByTimeAsync(1000);
    expect((await late).error).toMatchObject({
      code: 'deadline_exceeded',
      message: expect.stringContaining('still queued'),
    });
    holder.abort();
    await first;
    expect(service.seen).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each(['a key for each', 'one function for all'])(
    'one tenant at its limit does not hold up another, with %s',
    async (way) => {
      stopClock();
      const service = limited({ limit: 10, windowSeconds: 10 });
      let tenant = 'a';
      const apiKey = way.startsWith('one') ? async () => tenant : tenant;
      const client = clientFor(service.fetch, { apiKey });
      const other = typeof apiKey === 'string' ? client.withOptions({ apiKey: 'b' }) : client;
      await run(times(10, () => client.usage.get()));
      const start = performance.now();
      const waiting = client.withOptions({ timeout: 1000 }).usage.get();
      await turns(5);
      tenant = 'b';
      await run(times(10, () => other.usage.get()));
      expect(performance.now() - start).toBeLessThan(200);
      await run([waiting]);
      expect(service.sent).toHaveLength(21);
      expect(service.sent.at(-1)).toMatchObject({ key: 'a' });
      expect(performance.now() - start).toBeGreaterThanOrEqual(900);
    },
  );

  test.each(ways)(
    'without RateLimit headers, with a %s and calls of %d ms, what 429 says is enough',
    async (counter, latencyMs) => {
      stopClock();
      const service = limited({ limit: 20, windowSeconds: 1, latencyMs, counter, headers: false });
      const client = clientFor(service.fetch, { maxRetries: 4 });
      const outcomes = await run(times(100, () => client.usage.get().safe()));
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(100);
      expect(service.sent.length).toBeLessThanOrEqual(250);
    },
  );

  test('a window that says when it resets is waited for', async () => {
    stopClock();
    const service = scriptedService();
    const headers = { 'ratelimit-policy': '"default";q=5;w=60', ratelimit: '"default";r=0;t=7' };
    service.script({ json: {}, headers });
    const { client } = clientOf(service);
    await client.usage.get();
    const next = client.usage.get();
    await vi.advanceTimersByTimeAsync(6999);
    expect(service.seen).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await next;
    expect(service.seen).toHaveLength(2);
  });

  test('a wait of more than maxRetryAfter is skipped: each call is sent and gets its 429', async () => {
    stopClock();
    const service = scriptedService();
    service.script(later(429, 'rate_limited', '61'));
    const { client } = clientOf(service);
    for (let call = 0; call < 3; call += 1) {
      await expect(client.usage.get()).rejects.toMatchObject({
        name: 'RateLimitError',
        status: 429,
      });
    }
    expect(service.seen).toHaveLength(3);
  });

  test('no call waits for its turn longer than maxRetryAfter', async () => {
    stopClock();
    const service = limited({ limit: 1, windowSeconds: 1 });
    const client = clientFor(service.fetch, { maxRetryAfter: 5000 });
    const outcomes = await run(times(20, () => client.usage.get().safe()));
    expect(performance.now()).toBeLessThanOrEqual(6100);
    expect(outcomes.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(5);
    const error = outcomes.at(-1)?.error;
    const retryAt = expect.any(Date);
    expect(error).toMatchObject({ name: 'RateLimitError', attempts: [], retryAt });
    expect(error?.message).toContain('`maxRetryAfter`');
  });

  test('an exhausted quota does not hold up other calls', async () => {
    stopClock();
    const service = scriptedService();
    service.script(problem(429, 'quota_exceeded'), { json: {} });
    const { client } = clientOf(service);
    await expect(client.usage.get()).rejects.toMatchObject({ code: 'quota_exceeded' });
    await expect(client.usage.get()).resolves.toEqual({});
  });
});

test('a timer that is late, because the process is busy, does not count as silence of the service', async () => {
  const clock = FakeTimers.install({
    toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'],
  });
  onTestFinished(() => clock.uninstall());
  const service = limited({ limit: 20, windowSeconds: 1, latencyMs: 100 });
  const client = clientFor(service.fetch);
  const calls = Promise.all(times(60, () => client.usage.get()));
  await turns();
  clock.jump(80); // each timer that is due fires once
  await turns();
  expect(service.sent).toHaveLength(16);
  await clock.runAllAsync();
  await calls;
});

describe('where nothing limits, the opening window is not felt', () => {
  test.each([30, 300, 1500, 4000])('in a first burst of 200 calls of %d ms', async (latencyMs) => {
    stopClock();
    const service = limited({ limit: 1e6, windowSeconds: 1, latencyMs, headers: false });
    const client = clientFor(service.fetch);
    const start = performance.now();
    await run(times(200, () => client.usage.get()));
    expect(performance.now() - start).toBeLessThanOrEqual(Math.max(1.5 * latencyMs, 65));
    const warm = performance.now();
    await run(times(200, () => client.usage.get()));
    expect(performance.now() - warm).toBeLessThanOrEqual(latencyMs + 5);
  });

  test('in 60 calls of 4 s after one rejection without headers', async () => {
    stopClock();
    let isFirst = true;
    const service = limited({ limit: 1e6, windowSeconds: 1, latencyMs: 4000, headers: false });
    const client = clientFor(async (input, init) => {
      if (!isFirst) return (service.fetch as typeof fetch)(input, init);
      isFirst = false;
      return new Response(null, { status: 429, headers: { 'retry-after': '1' } });
    });
    await run(times(60, () => client.usage.get()));
    expect(performance.now()).toBeLessThanOrEqual(5300);
  });
});

test.each([
  ['"d";q=0;w=60', '"d";r=0;t=1'],
  ['"d";q=0;w=60', '"d";r=0'],
  [undefined, '"d";r=0;t=1'],
])('a policy of %s with %s never holds calls up for ever', async (policy, ratelimit) => {
  stopClock();
  const service = scriptedService();
  service.script({
    json: {},
    headers: { ...(policy && { 'ratelimit-policy': policy }), ratelimit },
  });
  const { client } = clientOf(service);
  await run(times(5, () => client.usage.get()));
  await run(times(5, () => client.usage.get()));
  expect(performance.now()).toBeLessThanOrEqual(10_000);
});

describe('concurrency', () => {
  test.each([1, 3])('%d caps the requests in flight, with and without pacing', async (most) => {
    stopClock();
    for (const pacing of [true, false]) {
      const service = limited({ limit: 1000, windowSeconds: 1 });
      const client = clientFor(service.fetch, { concurrency: most, pacing });
      await run(times(10, () => client.usage.get()));
      expect([service.sent.length, service.mostInFlight]).toEqual([10, most]);
    }
  });

  test('a stream counts until it is closed', async () => {
    const service = scriptedService();
    const stream = { headers: { 'content-type': 'text/event-stream' }, chunks: [': x\n\n'] };
    service.script({ ...stream, ending: 'stall' }, { json: {} });
    const { client } = clientOf(service, { concurrency: 1 });
    const controller = new AbortController();
    const { signal } = controller;
    await client.content.stream({ prompt: 'p' }, { signal }).withResponse();
    const next = client.usage.get();
    await turns(20);
    expect(service.seen).toHaveLength(1);
    controller.abort();
    await next;
    expect(service.seen).toHaveLength(2);
  });
});
