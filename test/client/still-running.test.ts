import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { describe, expect, test, vi } from 'vitest';
import {
  clientOf,
  later,
  problem,
  type Reaction,
  scriptedService,
  stopClock,
  turns,
} from './support/service.ts';

const second = 1000;
const minute = 60 * second;

/** Requests that the server is working on, other than by waiting for the clock. */
const busy = new Set<unknown>();

/** The reference server on its manual clock, with a model that takes `ms`; the client's clock moves along. */
function setUp(ms: number, options: object = {}) {
  stopClock();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  busy.clear();
  const generate = vi.fn(() => new Promise((resolve) => setTimeout(resolve, ms)));
  const mock = createMockServer({
    clock: 'manual',
    seed: 1,
    generator: async function* () {
      busy.clear();
      await generate();
      yield 'a haiku';
    },
  });
  const retries: string[] = [];
  const client = new ContentGen({
    baseUrl: mock.baseUrl,
    apiKey: mock.adminKey,
    fetch: (input, init) => {
      busy.add(init);
      return mock.fetch(input, init).finally(() => busy.clear());
    },
    logLevel: 'off',
    onRetry: ({ code }) => void retries.push(code),
    ...options,
  });
  return { mock, client, retries, generate };
}

/** Moves the clock until the promise settles, but never while the server is working: it works in real time. */
async function run<T>(promise: Promise<T>, stepMs = 500): Promise<T> {
  const settled = vi.fn();
  promise.then(settled, settled);
  while (settled.mock.calls.length === 0) {
    while (busy.size > 0) await turns(1);
    await turns(5);
    await vi.advanceTimersByTimeAsync(stepMs);
  }
  return promise;
}

describe('a generation that takes longer than the timeout', () => {
  test.each([
    ['3 s', 3 * second],
    ['9 min', 9 * minute],
  ])('of %s is delivered and billed once, and spends one retry', async (_, ms) => {
    const { client, retries, generate } = setUp(ms, { timeout: second });
    const call = client.content.generate({ prompt: 'p' }).withResponse();
    const { data, replayed, attempts } = await run(call);
    expect(data.result).toBe('a haiku');
    expect(replayed).toBe(true);
    expect(attempts).toBe(retries.length + 1);
    expect(retries[0]).toBe('attempt_timeout');
    expect(new Set(retries.slice(1))).toEqual(new Set(['idempotency_in_progress']));
    // One request every 8 s at most, once the wait has grown.
    expect(retries.length).toBeLessThan(10 + ms / (6 * second));
    expect(generate).toHaveBeenCalledTimes(1);
    const usage = await run(client.usage.get());
    expect(usage).toMatchObject({ requests: 1, used: data.usage.totalTokens });
  });

  test('is not requested again with maxRetries: 0', async () => {
    const { client, retries } = setUp(30 * second, { timeout: second, maxRetries: 0 });
    await expect(run(client.content.generate({ prompt: 'p' }))).rejects.toMatchObject({
      code: 'attempt_timeout',
    });
    expect(retries).toEqual([]);
  });

  test('ends at the deadline and says how to get the response', async () => {
    const { client } = setUp(30 * second, { timeout: second, deadline: 10 * second });
    const error = await run(client.content.generate({ prompt: 'p' })).catch((thrown) => thrown);
    expect(error).toMatchObject({
      name: 'TimeoutError',
      code: 'deadline_exceeded',
      message: expect.stringContaining('same idempotencyKey'),
    });
    const options = { idempotencyKey: error.idempotencyKey, deadline: minute };
    await vi.advanceTimersByTimeAsync(30 * second);
    const again = await run(client.content.generate({ prompt: 'p' }, options));
    expect(again.result).toBe('a haiku');
  });

  /** The second is what Node's own `fetch` does after 300 s. */
  const lost = ['ECONNRESET', 'UND_ERR_HEADERS_TIMEOUT'];
  test.each(lost)('is waited for after a connection that ended with %s too', async (code) => {
    const { mock, client, retries, generate } = setUp(20 * second);
    const { fetch } = mock;
    let requests = 0;
    const flaky = client.withOptions({
      fetch: async (input, init) => {
        requests += 1;
        const response = fetch(input, requests === 1 ? { ...init, signal: null } : init);
        if (requests > 1) return response;
        throw new TypeError('fetch failed', {
          cause: Object.assign(new Error(), { code }),
        });
      },
    });
    expect((await run(flaky.content.generate({ prompt: 'p' }))).result).toBe('a haiku');
    expect(retries.slice(0, 2)).toEqual(['connection_failed', 'idempotency_in_progress']);
    expect(generate).toHaveBeenCalledTimes(1);
  });
});

describe('the default timeout', () => {
  test.each([
    ['generateContent', 10 * minute],
    ['getUsage', minute],
  ])('of %s is %d ms', async (operation, timeout) => {
    stopClock();
    const service = scriptedService();
    service.script({ fault: 'hang' });
    const { client } = clientOf(service, { maxRetries: 0 });
    const isGenerate = operation === 'generateContent';
    const call = isGenerate ? client.content.generate({ prompt: 'p' }) : client.usage.get();
    const start = performance.now();
    const outcome = call.then(
      () => 0,
      () => performance.now() - start,
    );
    expect(await run(outcome)).toBe(timeout);
  });
});

describe('idempotency_in_progress', () => {
  const busy = later(409, 'idempotency_in_progress', '1');
  const generate = (reactions: Reaction[], options = {}) => {
    stopClock();
    const service = scriptedService();
    service.script(...reactions);
    const { client } = clientOf(service, { maxRetries: 2 });
    return { service, failed: run(client.content.generate({ prompt: 'p' }, options)) };
  };

  test.each<[string, Reaction[], object?]>([
    ['for a key that another caller is using', [busy], { idempotencyKey: 'shared' }],
    ['after a rejection, which started nothing,', [problem(503, 'unavailable'), busy]],
  ])('%s spends maxRetries', async (_, reactions, options) => {
    const { service, failed } = generate(reactions, options);
    await expect(failed).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    expect(service.seen).toHaveLength(3);
  });

  test('with a Retry-After of more than maxRetryAfter ends the wait', async () => {
    const long = later(409, 'idempotency_in_progress', '120');
    const { service, failed } = generate([{ fault: 'disconnect' }, long]);
    await expect(failed).rejects.toMatchObject({ retryAt: expect.any(Date) });
    expect(service.seen).toHaveLength(2);
  });
});
