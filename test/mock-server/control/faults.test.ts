import { expect, test } from 'vitest';
import { createMockServer } from '../../../mock-server/index.ts';
import { contractServer, GENERATE, rejection } from '../service/helpers.ts';

const usage = '/api/usage';

test('a status fault takes effect as often as requested, then the service works again', async () => {
  const { call, mock } = contractServer();
  const effect = { status: 429, retryAfter: 7 } as const;
  mock.faults.add({ operation: 'getUsage', times: 2, effect });
  const first = await call('GET', usage);
  expect(first.headers.get('retry-after')).toBe('7');
  expect(await rejection(first)).toEqual([429, 'rate_limited']);
  expect((await call('GET', usage)).status).toBe(429);
  expect((await call('GET', usage)).status).toBe(200);
  expect(mock.faults.list()).toEqual([]);
});

test('an operation with a status fault does not run, and faults never affect requests without credentials', async () => {
  const { call, ok, mock } = contractServer();
  mock.faults.add({ operation: '*', times: 1, effect: { status: 500 } });
  expect((await call('GET', usage, undefined, { key: null })).status).toBe(401);
  expect((await call('POST', '/api/auth/api-keys', { name: 'never' })).status).toBe(500);
  const { data } = await ok<{ data: unknown[] }>('GET', '/api/auth/api-keys');
  expect(data).toHaveLength(2);
});

test('a fault on one operation does not affect the others', async () => {
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

test('drop breaks the connection after the operation ran', async () => {
  const { mock, call } = contractServer();
  mock.faults.add({ operation: 'generateContent', times: 1, effect: { drop: true } });
  await expect(call('POST', GENERATE, { prompt: 'p' })).rejects.toThrow(TypeError);
  expect(mock.events().map(({ type }) => type)).toContain('generation.completed');
});

const plain = (on: ReturnType<typeof contractServer>) =>
  on.mock.fetch(on.mock.baseUrl + usage, { headers: { 'x-api-key': on.mock.adminKey } });

test('truncate sends the given number of bytes, then breaks the connection', async () => {
  const on = contractServer();
  on.mock.faults.add({ operation: 'getUsage', effect: { truncate: 10 } });
  const response = await plain(on);
  expect(response.status).toBe(200);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  expect((await reader.read()).value).toHaveLength(10);
  await expect(reader.read()).rejects.toThrow(TypeError);
});

test('stall sends the beginning of the body, then nothing until the caller gives up', async () => {
  const on = contractServer();
  on.mock.faults.add({ operation: 'getUsage', effect: { stall: true } });
  const controller = new AbortController();
  const response = await on.mock.fetch(on.mock.baseUrl + usage, {
    headers: { 'x-api-key': on.mock.adminKey },
    signal: controller.signal,
  });
  const reading = response.text();
  const first = await Promise.race([
    reading,
    new Promise((resolve) => setTimeout(resolve, 20, 'stalled')),
  ]);
  expect(first).toBe('stalled');
  controller.abort(new Error('enough'));
  await expect(reading).rejects.toThrow('enough');
});

test.each([
  [{ truncate: 30 }, /^id: 1\nevent: generation\.star/],
  [{ malformed: true }, /^data: \{"malformed":\n\n$/],
] as const)('a fault takes effect on a stream too: %j', async (effect, expected) => {
  const { mock } = contractServer();
  mock.faults.add({ operation: 'generateContent', effect });
  const response = await mock.fetch(mock.baseUrl + GENERATE, {
    method: 'POST',
    headers: { 'x-api-key': mock.adminKey, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'p', stream: true }),
  });
  let text = '';
  const decoder = new TextDecoder();
  const reading = (async () => {
    for await (const chunk of response.body as ReadableStream<Uint8Array>)
      text += decoder.decode(chunk);
  })();
  if ('truncate' in effect) await expect(reading).rejects.toThrow(TypeError);
  else await reading;
  expect(text).toMatch(expected);
});

test('malformed responds with 200 and invalid JSON', async () => {
  const on = contractServer();
  on.mock.faults.add({ operation: 'getUsage', effect: { malformed: true } });
  const response = await plain(on);
  expect(response.status).toBe(200);
  await expect(response.json()).rejects.toThrow(SyntaxError);
});

test('delay holds up the operation in wall time, even on a manual clock', async () => {
  const on = contractServer();
  on.mock.faults.add({ operation: 'getUsage', effect: { delay: 30 } });
  const started = performance.now();
  expect((await plain(on)).status).toBe(200);
  expect(performance.now() - started).toBeGreaterThan(20);
});

test('loseAnswer runs the operation to its end, then breaks the connection', async () => {
  const { mock, call, ok } = contractServer();
  mock.faults.add({ operation: 'generateContent', times: 2, effect: { loseAnswer: true } });
  const headers = { 'idempotency-key': 'lost-1' };
  await expect(call('POST', GENERATE, { prompt: 'p' }, { headers })).rejects.toThrow(TypeError);
  const streamed = call('POST', GENERATE, { prompt: 'p', stream: true });
  await expect(streamed).rejects.toThrow(TypeError);
  const { data } = await ok<{ data: { status: string }[] }>('GET', GENERATE);
  expect(data.map(({ status }) => status)).toEqual(['completed', 'completed']);
  const again = await call('POST', GENERATE, { prompt: 'p' }, { headers });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
});

test('a body that is no longer than a truncate fault allows arrives complete', async () => {
  const on = contractServer();
  on.mock.faults.add({ operation: 'getUsage', effect: { truncate: 100_000 } });
  expect(await (await plain(on)).json()).toHaveProperty('quota');
});

test('a fault for one organization never affects another', async () => {
  const on = contractServer();
  const { organization, adminKey } = on.mock.createOrganization();
  on.mock.faults.add({ operation: '*', organization, effect: { status: 503 } });
  expect((await on.call('GET', usage)).status).toBe(200);
  expect((await on.call('GET', usage, undefined, { key: adminKey })).status).toBe(503);
  expect(on.mock.faults.list()).toMatchObject([{ organization }]);
});

test('a fault for an organization that does not exist is rejected', () => {
  const { mock } = contractServer();
  expect(() =>
    mock.faults.add({ operation: '*', organization: 'org_nobody', effect: { drop: true } }),
  ).toThrow(expect.objectContaining({ code: 'not_found' }));
});

test('further requests and faults do not change the ids and texts that follow', async () => {
  const generate = async (more: boolean) => {
    const { call, ok, mock } = contractServer({ seed: 7 });
    if (more) {
      mock.faults.add({ operation: 'getUsage', probability: 0.5, effect: { status: 503 } });
      for (let turn = 0; turn < 5; turn += 1) await call('GET', usage);
    }
    const { requestId, result } = await ok<Record<string, string>>('POST', GENERATE, {
      prompt: 'p',
    });
    return [requestId, result];
  };
  expect(await generate(true)).toEqual(await generate(false));
});

test('faults are listed, removed by id and cleared', () => {
  const { mock } = contractServer();
  const { id } = mock.faults.add({ delivery: 'data_updated', effect: { drop: true } });
  mock.faults.add({ operation: 'getUsage', effect: { status: 500 } });
  expect(mock.faults.list().map(({ effect }) => effect)).toEqual([{ drop: true }, { status: 500 }]);
  expect([mock.faults.remove(id), mock.faults.remove(id)]).toEqual([true, false]);
  mock.faults.clear();
  expect(mock.faults.list()).toEqual([]);
});

test.each([
  {},
  { operation: 'getUsage' },
  { operation: 'getUsage', effect: {} },
  { operation: 'getUsage', delivery: '*', effect: { drop: true } },
  { operation: 'getUsage', effect: { status: 99 } },
  { operation: 'getUsage', effect: { status: Number.NaN } },
  { operation: 'getUsage', effect: { badSignature: true } },
  { delivery: '*', effect: { status: 500 } },
  { operation: 'getUsage', effect: { drop: true, stall: true } },
  { operation: 'getUsage', effect: { delay: -1 } },
  { operation: 'getUsage', times: 0, effect: { drop: true } },
  { operation: 'getUsage', probability: 1.1, effect: { drop: true } },
  { operation: 'getUsage', organization: '', effect: { drop: true } },
  { operation: 'getUsage', organization: 5, effect: { drop: true } },
  { operation: 'getUsage', effect: { reorder: true } },
  { delivery: '*', effect: { loseAnswer: 1 } },
  { operation: 'generatContent', effect: { drop: true } },
  { delivery: 'usage', effect: { drop: true } },
  { operation: 'getUsage', time: 1, effect: { drop: true } },
  { operation: 'getUsage', effect: { status: 204 } },
  { operation: 'getUsage', effect: { status: true } },
  { operation: 'getUsage', effect: { drop: 1 } },
  { operation: 'getUsage', effect: { delay: true } },
  { operation: 'getUsage', effect: { truncate: 5.5 } },
  { operation: 'getUsage', effect: { status: 503, code: 5 } },
  { operation: 'getUsage', effect: { status: 503, retryAfter: Number.POSITIVE_INFINITY } },
  { operation: 'getUsage', effect: { drop: true, retryAfter: 1 } },
  { operation: 'getUsage', effect: null },
  null,
])('an invalid fault is rejected: %j', (fault) => {
  const { mock } = contractServer();
  expect(() => mock.faults.add(fault as never)).toThrow(
    expect.objectContaining({ code: 'validation_failed' }),
  );
});

test('an unknown code still results in a problem document', async () => {
  const { mock } = contractServer();
  mock.faults.add({ operation: 'getUsage', effect: { status: 418, code: 'teapot' } });
  const headers = { 'x-api-key': mock.adminKey };
  const response = await mock.fetch(mock.baseUrl + usage, { headers });
  expect(response.status).toBe(418);
  expect(await response.json()).toMatchObject({ code: 'teapot', title: expect.any(String) });
});

test.each([
  [{ operation: 'generate', effect: { status: 503 } }, "Did you mean 'generateContent'?"],
  [{ operation: 'getUsage', status: 503 }, 'Put it under effect: { status: … }.'],
  [{ operation: 'getUsage', time: 1, effect: { drop: true } }, "Did you mean 'times'?"],
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
