import { expect, test } from 'vitest';
import { createMockServer } from '../../../mock-server/index.ts';
import { contractServer, GENERATE, rejection } from '../service/helpers.ts';

// What each effect does to a response is the same on every door: see http/fault-conformance.ts.

const usage = '/api/usage';

test('a status fault strikes as often as requested, without running the operation, and only callers with credentials', async () => {
  const { call, ok, mock } = contractServer();
  const effect = { status: 429, retryAfter: 7 } as const;
  mock.faults.add({ operation: 'createApiKey', times: 2, effect });
  const create = (key?: null) =>
    call('POST', '/api/auth/api-keys', { name: 'never' }, key === null ? { key } : {});
  expect((await create(null)).status).toBe(401);
  const first = await create();
  expect(first.headers.get('retry-after')).toBe('7');
  expect(await rejection(first)).toEqual([429, 'rate_limited']);
  expect((await create()).status).toBe(429);
  expect(mock.faults.list()).toEqual([]);
  const { data } = await ok<{ data: unknown[] }>('GET', '/api/auth/api-keys');
  expect(data).toHaveLength(2);
  expect((await create()).status).toBe(201);
});

test('a fault without a limit goes on, and does not affect other operations', async () => {
  const { call, mock } = contractServer();
  mock.faults.add({ operation: 'generateContent', effect: { status: 503 } });
  expect((await call('GET', usage)).status).toBe(200);
  for (let turn = 0; turn < 3; turn += 1) {
    expect((await call('POST', GENERATE, { prompt: 'p' })).status).toBe(503);
  }
});

test('a probability is drawn from the seed', async () => {
  const run = async (seed: number) => {
    const { call, mock } = contractServer({ seed });
    mock.faults.add({ operation: 'getUsage', probability: 0.5, effect: { status: 503 } });
    const statuses: number[] = [];
    for (let turn = 0; turn < 20; turn += 1) statuses.push((await call('GET', usage)).status);
    return statuses;
  };
  const statuses = await run(3);
  expect(statuses).toEqual(await run(3));
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
});

test('further requests and faults do not change the ids and texts that follow', async () => {
  const generate = async (more: boolean) => {
    const { call, ok, mock } = contractServer({ seed: 7 });
    if (more) {
      mock.faults.add({ operation: 'getUsage', probability: 0.5, effect: { status: 503 } });
      for (let turn = 0; turn < 5; turn += 1) await call('GET', usage);
    }
    const body = { prompt: 'p' };
    const { requestId, result } = await ok<Record<string, string>>('POST', GENERATE, body);
    return [requestId, result];
  };
  expect(await generate(true)).toEqual(await generate(false));
});

test('an unknown code still results in a problem document', async () => {
  const { mock } = contractServer();
  mock.faults.add({ operation: 'getUsage', effect: { status: 418, code: 'teapot' } });
  const headers = { 'x-api-key': mock.adminKey };
  const response = await mock.fetch(mock.baseUrl + usage, { headers });
  expect(response.status).toBe(418);
  expect(await response.json()).toMatchObject({ code: 'teapot', title: expect.any(String) });
});

const drop = { drop: true };

test.each([
  null,
  {},
  { operation: 'getUsage' },
  { operation: 'getUsage', delivery: '*', effect: drop },
  { operation: 'generatContent', effect: drop },
  { delivery: 'usage', effect: drop },
  { operation: 'getUsage', times: 0, effect: drop },
  { operation: 'getUsage', time: 1, effect: drop },
  { operation: 'getUsage', probability: 1.1, effect: drop },
  { operation: 'getUsage', organization: '', effect: drop },
  { operation: 'getUsage', organization: 5, effect: drop },
  { delivery: '*', effect: { status: 500 } },
  { delivery: '*', effect: { loseAnswer: 1 } },
  ...[
    ...[null, {}, { badSignature: true }, { reorder: true }, { drop: true, stall: true }],
    ...[99, Number.NaN, 204, true].map((status) => ({ status })),
    ...[{ delay: -1 }, { delay: true }, { drop: 1 }, { truncate: 5.5 }],
    { status: 503, code: 5 },
    { status: 503, retryAfter: 0 },
    { status: 503, retryAfter: Number.POSITIVE_INFINITY },
    { drop: true, retryAfter: 1 },
  ].map((effect) => ({ operation: 'getUsage', effect })),
])('an invalid fault is rejected: %j', (fault) => {
  expect(() => contractServer().mock.faults.add(fault as never)).toThrow(
    expect.objectContaining({ code: 'validation_failed' }),
  );
});

test.each([
  [{ operation: 'generate', effect: { status: 503 } }, "Did you mean 'generateContent'?"],
  [{ operation: 'getUsage', status: 503 }, 'Put it under effect: { status: … }.'],
  [{ operation: 'getUsage', time: 1, effect: drop }, "Did you mean 'times'?"],
])('a fault that is misspelled says what to write instead: %j', (fault, sentence) => {
  expect(() => contractServer().mock.faults.add(fault as never)).toThrow(sentence);
});

test('closing names the faults that nothing matched, and no others', async () => {
  const warnings: string[] = [];
  const mock = createMockServer({ clock: 'manual', onWarning: (said) => warnings.push(said) });
  const effect = { status: 500 };
  mock.faults.add({ operation: 'getUsage', times: 2, effect });
  mock.faults.add({ operation: 'listApiKeys', effect });
  const headers = { 'x-api-key': mock.memberKey };
  await mock.fetch(`${mock.baseUrl}/api/usage`, { headers });
  await mock.close();
  expect(warnings).toEqual([expect.stringMatching(/matched these faults: listApiKeys\.$/)]);
});
