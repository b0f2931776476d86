import { expect, test } from 'vitest';
import { createMockServer } from '../../../mock-server/index.ts';
import {
  begun,
  type ContractServer,
  contractServer,
  GENERATE,
  generate,
  inbox,
} from '../service/helpers.ts';

const webhookUrl = 'https://app.example/cb';

/** Everything that a run leaves behind, except token signatures. */
async function story(on: ContractServer) {
  const { ok, mock } = on;
  let status = 500;
  mock.receivers.set(webhookUrl, () => {
    const response = new Response(null, { status });
    status = 200;
    return response;
  });
  const responses = [
    await ok('POST', '/api/auth/api-keys', { name: 'ci' }),
    await ok('POST', GENERATE, { prompt: 'A haiku about TCP' }),
    await ok('POST', GENERATE, { prompt: 'Later', webhookUrl }),
  ];
  await mock.clock.advance('1 day');
  const logs = [mock.events(), mock.deliveries(), mock.requests()];
  return { responses, logs };
}

test('the same seed and the same calls give the same ids, keys, texts and times', async () => {
  const [one, other] = [contractServer({ seed: 42 }), contractServer({ seed: 42 })];
  expect(one.mock.adminKey).toBe(other.mock.adminKey);
  expect(one.mock.signingSecret).toBe(other.mock.signingSecret);
  expect(await story(one)).toEqual(await story(other));
  expect(contractServer({ seed: 43 }).mock.adminKey).not.toBe(one.mock.adminKey);
  const [first, second] = [createMockServer(), createMockServer()];
  expect(first.adminKey, 'without a seed').not.toBe(second.adminKey);
  expect(first.organization).not.toBe(second.organization);
});

test('parallel organizations do not affect each other', async () => {
  const run = async (busy: boolean) => {
    const { mock, ok } = contractServer({ seed: 5 });
    const [mine, theirs] = [mock.createOrganization(), mock.createOrganization()];
    const ids: unknown[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      if (busy) await ok('POST', GENERATE, { prompt: 'noise' }, { key: theirs.adminKey });
      ids.push(await ok('POST', GENERATE, { prompt: 'mine' }, { key: mine.adminKey }));
      ids.push(await ok('POST', '/api/auth/api-keys', {}, { key: mine.adminKey }));
    }
    return ids;
  };
  expect(await run(true)).toEqual(await run(false));
});

test('reset restores the initial keys, ids, faults and clock and keeps nothing else', async () => {
  const fault = { operation: 'getUsage', times: 1, effect: { status: 503 } };
  const on = contractServer({ faults: [fault] });
  const { mock, call } = on;
  mock.createOrganization();
  mock.faults.clear();
  const before = await story(on);
  mock.reset();
  expect(mock.clock.now()).toBe(Date.UTC(2026, 0, 1));
  expect([mock.requests(), mock.deliveries()]).toEqual([[], []]);
  expect(mock.snapshot().state['projects']).toHaveLength(1);
  expect((await call('GET', '/api/usage')).status).toBe(503);
  expect(mock.requests()).toMatchObject([{ id: 'rql_000000000001' }]);
  expect((await call('GET', '/api/usage')).status).toBe(200);
  mock.reset();
  mock.faults.clear();
  mock.createOrganization();
  expect((await story(on)).responses).toEqual(before.responses);
});

test('deliveries queued before a reset are never sent, and receivers stay', async () => {
  const on = contractServer({ processingTime: 1000 });
  const received = inbox(on, webhookUrl);
  await on.ok('POST', GENERATE, { prompt: 'Later', webhookUrl });
  on.mock.reset();
  await on.mock.clock.advance('1 day');
  expect(received).toEqual([]);
  await on.ok('POST', GENERATE, { prompt: 'Later', webhookUrl });
  await on.mock.clock.advance('1 day');
  expect(received).toHaveLength(1);
});

test('a request in flight during a reset gets a 503, its generator is aborted and nothing is written', async () => {
  let aborted = false;
  const { mock, call, ok } = contractServer({
    async *generator(_, { signal }) {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      yield await new Promise<string>(() => {});
    },
  });
  const running = begun(mock);
  const pending = call('POST', GENERATE, { prompt: 'p' });
  await running;
  mock.reset();
  const response = await pending;
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(aborted).toBe(true);
  expect(await ok('GET', GENERATE)).toEqual({ data: [], nextCursor: null });
  expect(mock.requests()).toHaveLength(1);
});

test('a snapshot is plain JSON that later changes leave alone; restoring it restores records, clock and scheduled jobs', async () => {
  const on = contractServer({ processingTime: 60_000 });
  const received = inbox(on, webhookUrl);
  const job = await on.ok<{ requestId: string }>('POST', GENERATE, { prompt: 'Later', webhookUrl });
  await on.mock.clock.advance('30 seconds');
  const saved = on.mock.snapshot();
  const text = JSON.stringify(saved);
  expect(JSON.parse(text)).toEqual(saved);
  await on.mock.clock.advance('1 day');
  expect(received).toHaveLength(1);
  expect(JSON.stringify(saved)).toBe(text);
  on.mock.restore(saved);
  expect(on.mock.clock.now()).toBe(Date.UTC(2026, 0, 1) + 30_000);
  const running = { status: 'processing' };
  expect(await on.ok('GET', `${GENERATE}/${job.requestId}`)).toMatchObject(running);
  await on.mock.clock.advance('30 seconds');
  expect(received).toHaveLength(2);
  expect(received[1]).toEqual(received[0]);
});

test('a generation that was running when the snapshot was taken is restored as failed', async () => {
  const { mock, call, ok } = contractServer({
    async *generator() {
      yield 'once';
      await new Promise(() => {});
    },
  });
  const response = await generate(mock, { prompt: 'p', stream: true });
  mock.restore(mock.snapshot());
  await expect(response.text()).rejects.toThrow('The state was replaced.');
  const { data } = await ok<{ data: { requestId: string }[] }>('GET', GENERATE);
  expect(data).toMatchObject([{ status: 'failed', error: { code: 'generation_failed' } }]);
  const cancel = `${GENERATE}/${data[0]?.requestId}/cancel`;
  expect((await call('POST', cancel)).status).toBe(409);
});

test('anything but a snapshot is rejected and changes nothing', async () => {
  const { mock, ok } = contractServer();
  const saved = mock.snapshot();
  const { state } = saved;
  const damagedProject = (damage: object) =>
    state['projects']?.map((project) => ({ ...project, ...damage })) ?? [];
  for (const value of [
    ...[undefined, {}, { version: 1 }, { ...saved, version: 2 }, { ...saved, state: {} }],
    ...['tomorrow', '+200000-01-01T00:00:00.000Z'].map((now) => ({ ...saved, now })),
    ...[
      ...[{ apiKeys: 5 }, { apiKeys: [5, null] }, { unknown: [] }, { organizations: [] }],
      { projects: damagedProject({ organization: 'org_none' }) },
      { faults: [{ id: 'flt_1', operation: 'getUsage', effect: { status: 'x' } }] },
    ].map((damage) => ({ ...saved, state: { ...state, ...damage } })),
  ]) {
    const invalid = expect.objectContaining({ code: 'validation_failed' });
    expect(() => mock.restore(value as never), JSON.stringify(value)).toThrow(invalid);
  }
  await ok('GET', '/api/usage');
});
