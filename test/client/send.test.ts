import { beforeEach, describe, expect, test, vi } from 'vitest';
import { contentgen } from './support/entry.ts';
import {
  clientOf,
  completed,
  later,
  problem,
  type Reaction,
  scriptedService,
  settle,
  stopClock,
  transports,
  until,
  useService,
} from './support/service.ts';

describe.each(transports)('retries over a %s', (transport) => {
  const service = useService(transport);
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
    ['408 without a problem', { status: 408, text: 'late' }],
    ['502 of a proxy, in HTML', { status: 502, text: '<html>bad gateway</html>' }],
    ['a refused connection', { fault: 'refuse' }],
    ['a body that breaks off', { pieces: ['{"requestId":'], ending: 'drop' }],
  ] as [string, Reaction][])('%s is tried again under the same key', async (_, fault) => {
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

  test.each([
    [429, 'quota_exceeded', 'QuotaExceededError'],
    [409, 'invalid_state', 'ConflictError'],
    [422, 'validation_failed', 'ValidationError'],
    [422, 'idempotency_key_reused', 'ValidationError'],
    [400, 'invalid_request', 'BadRequestError'],
    [401, 'invalid_api_key', 'AuthenticationError'],
    [403, 'insufficient_permissions', 'PermissionDeniedError'],
    [404, 'not_found', 'NotFoundError'],
    [413, 'payload_too_large', 'ApiError'],
  ])('%d %s is final, with a Retry-After or without', async (status, code, name) => {
    const { call } = generate([later(status, code, '1')]);
    await expect(call).rejects.toMatchObject({ name, code, status });
    expect(service.seen).toHaveLength(1);
  });

  test('after maxRetries the last failure is thrown with the history', async () => {
    const { call, retries } = generate([
      later(429, 'rate_limited', '2'),
      { fault: 'refuse' },
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

  test.each([0, 1, 4])('maxRetries %d means exactly that many more', async (maxRetries) => {
    const { call } = generate([problem(503, 'unavailable')], { maxRetries });
    await expect(call).rejects.toThrow('unavailable');
    expect(service.seen).toHaveLength(maxRetries + 1);
  });

  test("the call's maxRetries stands in for the client's", async () => {
    const { call } = generate([problem(503, 'unavailable')], { maxRetries: 5 }, { maxRetries: 0 });
    await expect(call).rejects.toThrow('1 attempt,');
    expect(service.seen).toHaveLength(1);
  });

  test('Retry-After: 120 is waited for whole', async () => {
    const { call, retries } = generate([later(429, 'rate_limited', '120'), { json: completed }]);
    await until(() => retries.length === 1);
    expect(retries).toEqual([{ code: 'rate_limited', status: 429, delayMs: 120_000 }]);
    await call;
  });

  test('a Retry-After date is waited for', async () => {
    const date = new Date(Date.now() + 5000).toUTCString();
    const { call, retries } = generate([later(503, 'unavailable', date), { json: completed }]);
    await call;
    expect(retries[0]?.delayMs).toBeGreaterThan(3900);
    expect(retries[0]?.delayMs).toBeLessThanOrEqual(5000);
  });

  test('a Retry-After past the deadline fails now and says when', async () => {
    const { call } = generate([later(429, 'rate_limited', '120')], {}, { deadline: 60_000 });
    const before = Date.now();
    await expect(call).rejects.toMatchObject({
      name: 'RateLimitError',
      retryAt: new Date(before + 120_000),
      attempts: [{ delayMs: 0 }],
    });
    expect(service.seen).toHaveLength(1);
  });

  test('a key of the caller is used, and a further call has a key of its own', async () => {
    await generate([{ json: completed }], {}, { idempotencyKey: 'mine' }).call;
    await generate([{ json: completed }]).call;
    await generate([{ json: completed }]).call;
    const sent = service.seen.map((request) => request.headers['idempotency-key']);
    expect(sent[0]).toBe('mine');
    expect(new Set(sent).size).toBe(3);
  });

  test.each(['Idempotency-Key', 'idempotency-key'])(
    'a key among the headers of the call, as %s, is that key, retries included',
    async (name) => {
      const reactions = [problem(503, 'unavailable'), { json: completed }];
      const { call } = generate(reactions, {}, { headers: { [name]: 'mine' } });
      expect(await call).toMatchObject({ idempotencyKey: 'mine' });
      expect([...keys()]).toEqual(['mine']);
    },
  );

  test('an empty key among the headers of the call is none', async () => {
    const { call } = generate([{ json: completed }], {}, { headers: { 'Idempotency-Key': '' } });
    await call;
    expect([...keys()][0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a redirect is not followed: the key would go along', async () => {
    const { call } = generate([
      { status: 307, headers: { location: 'https://elsewhere.example/' } },
    ]);
    await expect(call).rejects.toMatchObject({
      code: 'unexpected_redirect',
      status: 307,
      name: 'ApiError',
    });
    expect(service.seen).toHaveLength(1);
  });
});

describe('the idempotency key', () => {
  test('is a random one where crypto.randomUUID is missing', async () => {
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

  test('fetch is given an address and its init, and its own response is handed out', async () => {
    const service = scriptedService();
    const answer = Response.json(completed);
    const inputs: unknown[] = [];
    const { client } = clientOf(service, {
      fetch: async (input) => {
        inputs.push(input);
        return answer;
      },
    });
    const { response } = await client.content.generate({ prompt: 'p' }).withResponse();
    expect(response).toBe(answer);
    expect(inputs).toEqual([`${service.baseUrl}/api/ai/content/generate`]);
  });

  test('a fetch of another realm that throws at once is a connection error', async () => {
    const failure = new Error('no network');
    const { client } = clientOf(scriptedService(), {
      maxRetries: 0,
      fetch: () => {
        throw failure;
      },
    });
    await expect(client.usage.get()).rejects.toMatchObject({
      name: 'ConnectionError',
      code: 'connection_failed',
      cause: failure,
    });
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('mine');
      },
    ],
    ['rejects', () => Promise.reject(new Error('mine'))],
  ])('onRetry that %s does not end the call', async (_, onRetry) => {
    const service = scriptedService();
    vi.spyOn(Math, 'random').mockReturnValue(0);
    service.script(problem(503, 'unavailable'), { json: completed });
    const { client } = clientOf(service, { onRetry });
    await expect(client.content.generate({ prompt: 'p' })).resolves.toMatchObject({
      result: 'a haiku',
    });
    vi.restoreAllMocks();
  });
});
