import { paced } from 'contentgen/pacing';
import { describe, expect, test, vi } from 'vitest';
import {
  clientOf,
  completed,
  later,
  problem,
  scriptedService,
  stopClock,
  turns,
} from './support/service.ts';

type Headers = Record<string, string>;
/** What a service says with each response: how many requests are left, and until when. */
type Family = (left: number, isRefused: boolean) => Headers;

const families: Record<string, Family> = {
  'Retry-After': (_, isRefused): Headers => (isRefused ? { 'retry-after': '1' } : {}),
  RateLimit: (left) => ({
    'ratelimit-policy': '"default";q=20;w=1',
    ratelimit: `"default";r=${left};t=1`,
  }),
  'RateLimit-*': (left) => ({ 'ratelimit-remaining': `${left}`, 'ratelimit-reset': '1' }),
  'x-ratelimit-*': (left) => ({
    'x-ratelimit-remaining': `${left}`,
    'x-ratelimit-reset': `${Math.ceil(Date.now() / 1000) + 1}`,
  }),
  'x-ratelimit-*-requests': (left) => ({
    'x-ratelimit-remaining-requests': `${left}`,
    'x-ratelimit-reset-requests': left === 0 ? '1s' : '0m0.9s',
  }),
};

/** A service that takes 20 requests a second, after a burst of 20, and needs 20 ms for each. */
function limited(family: Family) {
  let tokens = 20;
  let at = performance.now();
  let requests = 0;
  /** Responses that are being read: that takes real turns of the event loop. */
  let reading = 0;
  const end = () => {
    reading -= 1;
  };
  const fetch = async () => {
    requests += 1;
    const now = performance.now();
    tokens = Math.min(20, tokens + (now - at) / 50);
    at = now;
    const isRefused = tokens < 1;
    if (!isRefused) tokens -= 1;
    const json = isRefused ? { code: 'rate_limited' } : completed;
    const headers = {
      'content-type': 'application/json',
      ...family(Math.floor(tokens), isRefused),
    };
    await new Promise((resolve) => setTimeout(resolve, 20));
    reading += 1;
    const pull = (body: ReadableStreamDefaultController) => {
      body.enqueue(new TextEncoder().encode(JSON.stringify(json)));
      body.close();
      end();
    };
    const body = new ReadableStream({ pull, cancel: end }, { highWaterMark: 0 });
    return new Response(body, { status: isRefused ? 429 : 200, headers });
  };
  return { fetch, requests: () => requests, isReading: () => reading > 0 };
}

async function call150(family: Family, options?: Parameters<typeof paced>[0]) {
  stopClock();
  const { fetch, requests, isReading } = limited(family);
  const { client } = clientOf(scriptedService(), { fetch, middleware: [paced(options)] });
  const calls = Array.from({ length: 150 }, () => client.content.generate({ prompt: 'p' }).safe());
  const done = vi.fn();
  const outcomes = Promise.all(calls).finally(done);
  while (done.mock.calls.length === 0) {
    // Bodies are read in real turns of the event loop: they must not take longer than the clock says.
    await turns(3);
    while (isReading()) await turns(3);
    // All timers that are due at once: to turn to the event loop after each would take five times as long.
    vi.advanceTimersByTime(20);
  }
  const failures = (await outcomes).flatMap(({ error }) => error?.message ?? []);
  return { failures, requests: requests() };
}

test.each([
  ...Object.entries(families).map(
    // A client that reads how many calls are left is never refused.
    ([name, family]) => [name, name === 'Retry-After' ? 200 : 150, family] as const,
  ),
  ['no header', 260, (): Headers => ({})] as const,
])(
  '150 calls against 20 a second all succeed: with %s, after %i requests at most',
  async (_, most, family) => {
    const { failures, requests } = await call150(family);
    expect(failures).toEqual([]);
    expect(requests).toBeLessThanOrEqual(most);
  },
);

describe('paced()', () => {
  const hung = { fault: 'hang' } as const;

  test('leaves no more than concurrency requests without a response, whatever their credential', async () => {
    const service = scriptedService();
    service.script(hung);
    const { client } = clientOf(service, { middleware: [paced({ concurrency: 3 })] });
    const other = client.withOptions({ apiKey: 'cg_test_other' });
    const controller = new AbortController();
    const { signal } = controller;
    const calls = [client, other, client, other, client].map(({ usage }) => usage.get({ signal }));
    await turns();
    expect(service.seen).toHaveLength(3);
    controller.abort();
    for (const { reason } of (await Promise.allSettled(calls)) as { reason?: unknown }[])
      expect(reason).toMatchObject({ code: 'aborted' });
    expect(service.seen).toHaveLength(3);
  });

  test('sends nothing until Retry-After, and then the refused call first', async () => {
    stopClock();
    const service = scriptedService();
    service.script(later(429, 'rate_limited', '3'), { json: completed });
    const { client } = clientOf(service, {
      middleware: [paced({ concurrency: 1 })],
      maxRetries: 0,
    });
    const first = client.content.generate({ prompt: 'first' }).withResponse();
    const second = client.content.generate({ prompt: 'second' });
    await vi.advanceTimersByTimeAsync(100);
    await vi.advanceTimersByTimeAsync(2800);
    expect(service.seen).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(500);
    expect((await first).attempts).toBe(1);
    expect((await second).result).toBe('a haiku');
    expect(service.seen.map(({ body }) => JSON.parse(body).prompt)).toEqual([
      'first',
      'first',
      'second',
    ]);
    const keys = service.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toBe(keys[1]);
  });

  test('does not wait longer than maxWait, and passes on what the service asked for', async () => {
    const service = scriptedService();
    service.script(later(429, 'rate_limited', '3600'));
    const { client } = clientOf(service, { middleware: [paced({ maxWait: 1000 })] });
    const refused = client.usage.get();
    await expect(refused).rejects.toMatchObject({
      code: 'rate_limited',
      retryAt: expect.any(Date),
    });
    const waiting = client.usage.get();
    await expect(waiting).rejects.toMatchObject({ code: 'deadline_exceeded' });
    await expect(waiting).rejects.toThrow('no turn for this call within maxWait (1000 ms)');
    expect(service.seen).toHaveLength(1);
  });

  test('a deadline ends a wait for a turn', async () => {
    stopClock();
    const service = scriptedService();
    service.script(hung);
    const { client } = clientOf(service, { middleware: [paced({ concurrency: 1 })] });
    const outcomes = [client.usage.get(), client.usage.get({ deadline: 500 })].map((call) =>
      call.safe(),
    );
    await vi.advanceTimersByTimeAsync(600);
    expect((await outcomes[1])?.error).toMatchObject({ code: 'deadline_exceeded' });
    expect(service.seen).toHaveLength(1);
  });

  test('passes on a quota that is used up, and every other response, at once', async () => {
    const service = scriptedService();
    service.script(problem(429, 'quota_exceeded'), problem(404, 'not_found'), {
      json: { used: 1 },
    });
    const { client } = clientOf(service, { middleware: [paced()] });
    await expect(client.usage.get()).rejects.toMatchObject({ code: 'quota_exceeded' });
    await expect(client.usage.get()).rejects.toMatchObject({ code: 'not_found' });
    expect(await client.usage.get()).toEqual({ used: 1 });
  });

  test.each([{ concurrency: 0 }, { concurrency: 1.5 }, { maxWait: 0 }, { rate: 5 }, null])(
    'the options %j are rejected',
    (options) => {
      expect(() => paced(options as never)).toThrow(TypeError);
    },
  );
});
