import * as contentgen from 'contentgen';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  clientOf,
  completed,
  later,
  problem,
  type Reaction,
  recorded,
  scriptedService,
  settle,
  stopClock,
  useService,
} from './support/service.ts';

describe('retries', () => {
  const service = useService();
  beforeEach(() => {
    stopClock();
  });

  const generate = (reactions: Reaction[], options = {}, callOptions = {}) => {
    service.script(...reactions);
    const { client, retries } = clientOf(service, options);
    const call = client.content.generate({ prompt: 'p' }, callOptions);
    return { call: settle(call.withResponse(), retries), retries };
  };
  const keys = () => new Set(service.seen.map((request) => request.headers['idempotency-key']));

  test.each([
    ['503 unavailable', problem(503, 'unavailable')],
    ['500 internal_error', problem(500, 'internal_error')],
    ['429 rate_limited', problem(429, 'rate_limited')],
    ['409 idempotency_in_progress', problem(409, 'idempotency_in_progress')],
    ['425 too early', problem(425, 'of_a_later_version')],
    ['511 of a captive network', { status: 511, text: 'sign in' }],
    ['408 without a problem document', { status: 408, text: 'late' }],
    ['502 of a proxy, in HTML', { status: 502, text: '<html>bad gateway</html>' }],
    ['a refused connection', { fault: 'disconnect' }],
    ['a body that breaks off', { chunks: ['{"requestId":'], ending: 'drop' }],
  ] as [string, Reaction][])('%s is retried with the same key', async (_, fault) => {
    const { call, retries } = generate([fault, fault, { json: completed }]);
    const { data, attempts, idempotencyKey } = await call;
    expect(data.result).toBe('a haiku');
    expect(attempts).toBe(3);
    expect(service.seen).toHaveLength(3);
    expect([...keys()]).toEqual([idempotencyKey]);
    expect(new Set(service.seen.map((request) => request.body))).toEqual(
      new Set(['{"prompt":"p"}']),
    );
    expect(retries).toHaveLength(2);
    expect(retries[0]?.delayMs).toBeLessThanOrEqual(500);
    expect(retries[1]?.delayMs).toBeLessThanOrEqual(1000);
  });

  test('after maxRetries the last failure is thrown with all attempts', async () => {
    const { call, retries } = generate([
      later(429, 'rate_limited', '2'),
      { fault: 'disconnect' },
      problem(503, 'unavailable'),
    ]);
    const error = await call.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(contentgen.ServerError);
    expect(error).toMatchObject({
      code: 'unavailable',
      status: 503,
      requestId: 'req_unavailable',
      idempotencyKey: [...keys()][0],
      attempts: [
        { status: 429, code: 'rate_limited', delayMs: 2000, requestId: 'req_rate_limited' },
        { code: 'connection_failed', delayMs: retries[1]?.delayMs },
        { status: 503, code: 'unavailable', delayMs: 0, requestId: 'req_unavailable' },
      ],
    });
    expect((error as Error).message).toMatch(
      /503 unavailable after 3 attempts, request req_unavailable/,
    );
  });

  test('backoff sets the bounds of the waits, each of which can be given by itself', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const delays = async (backoff: object) => {
      const { call, retries } = generate([problem(503, 'unavailable')], { backoff, maxRetries: 4 });
      await expect(call).rejects.toThrow('unavailable');
      return retries.map(({ delayMs }) => delayMs);
    };
    expect(await delays({ initial: 100, max: 300 })).toEqual([100, 200, 300, 300]);
    expect(await delays({ initial: 5000 })).toEqual([5000, 8000, 8000, 8000]);
    expect(await delays({ max: 600 })).toEqual([500, 600, 600, 600]);
    expect(await delays({ initial: 0 })).toEqual([0, 0, 0, 0]);
  });

  test.each([
    [{ maxRetries: 0 }, {}, 1],
    [{ maxRetries: 4 }, {}, 5],
    [{ maxRetries: 5 }, { maxRetries: 0 }, 1],
  ])(
    'with %j in the client and %j in the call there are %i attempts',
    async (own, ofCall, attempts) => {
      const { call } = generate([problem(503, 'unavailable')], own, ofCall);
      await expect(call).rejects.toMatchObject({
        code: 'unavailable',
        attempts: { length: attempts },
      });
      expect(service.seen).toHaveLength(attempts);
    },
  );

  test.each<[seconds: string, options: object, ofCall: object, says: RegExp]>([
    ['61', {}, {}, /longer than `maxRetryAfter`/],
    ['9999999999', {}, {}, /longer than `maxRetryAfter`/],
    ['9'.repeat(400), {}, {}, /longer than `maxRetryAfter`/],
    ['1', { maxRetryAfter: 0 }, {}, /longer than `maxRetryAfter`/],
    ['120', { maxRetryAfter: Infinity }, { deadline: 60_000 }, /503 unavailable/],
  ])(
    'with a Retry-After of %s s and %j, %j the call fails at once and says when to retry',
    async (seconds, options, ofCall, says) => {
      const { call } = generate([later(503, 'unavailable', seconds)], options, ofCall);
      const error = (await call.catch((thrown: unknown) => thrown)) as { retryAt: Date };
      expect(error).toMatchObject({ name: 'ServerError', attempts: [{ delayMs: 0 }] });
      const waitMs = Math.min(Number(seconds) * 1000, 1e13);
      expect(error.retryAt.getTime()).toBe(Date.now() + waitMs);
      expect(String(error)).toMatch(says);
      expect(service.seen).toHaveLength(1);
    },
  );

  test.each([
    [later(503, 'unavailable', '5'), undefined],
    [later(503, 'unavailable', '6'), '6 s as the service asked'],
    [problem(503, 'unavailable'), '8 s before it retries after unavailable'],
  ])('a wait of more than 5 s is a warning that says whose it is', async (reaction, wait) => {
    vi.spyOn(Math, 'random').mockReturnValue(0.9999);
    const { lines, logger } = recorded();
    const reactions = [...Array.from({ length: 5 }, () => reaction), { json: completed }];
    await generate(reactions, { maxRetries: 5, logger, logLevel: 'warn' }).call;
    const message = wait && `contentgen: generateContent waits ${wait}`;
    expect(lines.at(-1)?.message).toBe(message);
  });

  test.each([
    ["the response's own Date", { date: new Date('2001-01-01T00:00:00Z').toUTCString() }],
    ['the clock, without one', {}],
  ])('a Retry-After date is read against %s', async (_, date: { date?: string }) => {
    const until = Date.parse(date.date ?? new Date().toUTCString()) + 7000;
    const reaction = later(503, 'unavailable', new Date(until).toUTCString());
    const headers = { ...reaction.headers, ...date };
    const { call, retries } = generate([{ ...reaction, headers }, { json: completed }]);
    await call;
    const { delayMs = 0 } = retries[0] ?? {};
    expect(delayMs).toBeGreaterThan(5900);
    expect(delayMs).toBeLessThanOrEqual(7000);
  });

  test('the caller can set the key; every other call gets a new one', async () => {
    await generate([{ json: completed }], {}, { idempotencyKey: 'mine' }).call;
    await generate([{ json: completed }]).call;
    await generate([{ json: completed }]).call;
    const sent = service.seen.map((request) => request.headers['idempotency-key']);
    expect(sent[0]).toBe('mine');
    expect(new Set(sent).size).toBe(3);
  });

  test('the header of a call in any case sets the key, for retries too', async () => {
    const reactions = [problem(503, 'unavailable'), { json: completed }];
    const { call } = generate(reactions, {}, { headers: { 'idempotency-Key': 'mine' } });
    expect(await call).toMatchObject({ idempotencyKey: 'mine' });
    expect([...keys()]).toEqual(['mine']);
  });

  test('a key in the headers of a call is checked like the option', async () => {
    const { call } = generate([{ json: completed }], {}, { headers: { 'Idempotency-Key': '' } });
    await expect(call).rejects.toThrow(TypeError);
    expect(service.seen).toHaveLength(0);
  });

  test('a redirect is not followed, because it would receive the API key', async () => {
    const { call } = generate([
      {
        status: 307,
        headers: { location: 'https://u:secret@elsewhere.example/path?secret#secret' },
      },
    ]);
    await expect(call).rejects.toMatchObject({
      code: 'unexpected_redirect',
      status: 307,
      name: 'ApiError',
      message: expect.stringContaining('https://elsewhere.example/path '),
    });
    await expect(call).rejects.not.toThrow('secret');
    expect(service.seen).toHaveLength(1);
  });
});

describe('the idempotency key', () => {
  test('is random even without crypto.randomUUID', async () => {
    const service = scriptedService();
    service.script({ json: completed });
    const { randomUUID } = crypto;
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
    try {
      const { client } = clientOf(service);
      await client.content.generate({ prompt: 'p' });
      await client.content.generate({ prompt: 'p' });
    } finally {
      Object.defineProperty(crypto, 'randomUUID', { value: randomUUID, configurable: true });
    }
    const [first, second] = service.seen.map((request) => request.headers['idempotency-key']);
    expect(first).toMatch(/^\d+(-\d+){3}$/);
    expect(second).not.toBe(first);
  });
});
