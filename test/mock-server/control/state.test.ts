import { expect, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import { createMockServer } from '../../../mock-server/index.ts';
import { begun, type ContractServer, contractServer, GENERATE, inbox } from '../service/helpers.ts';

const webhookUrl = 'https://app.example/cb';

/** Everything that a run leaves behind, except token signatures. */
async function story(on: ContractServer) {
  const { ok, mock } = on;
  inbox(on, webhookUrl);
  const responses = [
    await ok('POST', '/api/auth/api-keys', { name: 'ci' }),
    await ok('POST', GENERATE, { prompt: 'A haiku about TCP' }),
    await ok('POST', GENERATE, { prompt: 'Later', webhookUrl }),
  ];
  await mock.clock.advance('1 day');
  return {
    responses,
    events: mock.events(),
    deliveries: mock.deliveries(),
    requests: mock.requests(),
  };
}

test('the same seed and the same calls give the same ids, keys, texts and times', async () => {
  const [one, other] = [contractServer({ seed: 42 }), contractServer({ seed: 42 })];
  expect(one.mock.adminKey).toBe(other.mock.adminKey);
  expect(one.mock.signingSecret).toBe(other.mock.signingSecret);
  expect(await story(one)).toEqual(await story(other));
  expect(contractServer({ seed: 43 }).mock.adminKey).not.toBe(one.mock.adminKey);
});

test('without a seed no two servers are alike', () => {
  const [one, other] = [createMockServer(), createMockServer()];
  expect(one.adminKey).not.toBe(other.adminKey);
  expect(one.organization).not.toBe(other.organization);
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

test('reset restores the initial keys, ids and clock and keeps nothing else', async () => {
  const on = contractServer({
    faults: [{ operation: 'getUsage', times: 1, effect: { status: 503 } }],
  });
  const { mock, call } = on;
  mock.createOrganization();
  mock.faults.clear();
  const before = await story(on);
  mock.reset();
  expect(mock.clock.now()).toBe(Date.UTC(2026, 0, 1));
  expect(mock.requests()).toEqual([]);
  expect(mock.deliveries()).toEqual([]);
  expect(internalsOf(mock).page.organizations()).toHaveLength(1);
  expect((await call('GET', '/api/usage')).status).toBe(503);
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
    generator: async function* (_, { signal }) {
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

test('a snapshot is plain JSON, and restoring it restores records, clock and scheduled jobs', async () => {
  const on = contractServer({ processingTime: 60_000 });
  const received = inbox(on, webhookUrl);
  const { requestId } = await on.ok<{ requestId: string }>('POST', GENERATE, {
    prompt: 'Later',
    webhookUrl,
  });
  await on.mock.clock.advance('30 seconds');
  const saved = on.mock.snapshot();
  expect(JSON.parse(JSON.stringify(saved))).toEqual(saved);

  await on.mock.clock.advance('1 day');
  expect(received).toHaveLength(1);
  on.mock.restore(saved);
  expect(on.mock.clock.now()).toBe(Date.UTC(2026, 0, 1) + 30_000);
  expect(await on.ok('GET', `${GENERATE}/${requestId}`)).toMatchObject({ status: 'processing' });
  await on.mock.clock.advance('30 seconds');
  expect(received).toHaveLength(2);
  expect(received[1]).toEqual(received[0]);
});

test('later changes to the server do not change a snapshot', async () => {
  const { mock, ok } = contractServer();
  const saved = mock.snapshot();
  const text = JSON.stringify(saved);
  await ok('POST', GENERATE, { prompt: 'p' });
  expect(JSON.stringify(saved)).toBe(text);
});

test('anything but a snapshot is rejected and changes nothing', async () => {
  const { mock, ok } = contractServer();
  for (const value of [
    undefined,
    {},
    { version: 2, now: '2026-01-01', state: {} },
    { version: 1 },
    { version: 1, now: '2026-01-01T00:00:00.000Z', state: {} },
    { version: 1, now: '2026-01-01T00:00:00.000Z', state: { apiKeys: 5 } },
    { ...mock.snapshot(), now: 'tomorrow' },
    { ...mock.snapshot(), now: '+200000-01-01T00:00:00.000Z' },
    { ...mock.snapshot(), state: { ...mock.snapshot().state, apiKeys: [5, null] } },
    { ...mock.snapshot(), state: { ...mock.snapshot().state, unknown: [] } },
    { ...mock.snapshot(), state: { ...mock.snapshot().state, organizations: [] } },
    ...[{ secrets: [] }, { secrets: undefined }, { organization: 'org_none' }].map((damage) => {
      const { projects = [], ...state } = mock.snapshot().state;
      const damaged = projects.map((project) => ({ ...project, ...damage }));
      return { ...mock.snapshot(), state: { ...state, projects: damaged } };
    }),
  ]) {
    expect(() => mock.restore(value as never)).toThrow(
      expect.objectContaining({ code: 'validation_failed' }),
    );
  }
  await ok('GET', '/api/usage');
});

test('a generation that was running when the snapshot was taken is restored as failed', async () => {
  const generator = async function* () {
    yield 'once';
    await new Promise(() => {});
  };
  const { mock, call, ok } = contractServer({ generator });
  const headers = { 'x-api-key': mock.adminKey, 'content-type': 'application/json' };
  const body = JSON.stringify({ prompt: 'p', stream: true });
  const response = await mock.fetch(mock.baseUrl + GENERATE, { method: 'POST', headers, body });
  const saved = mock.snapshot();
  mock.restore(saved);
  await expect(response.text()).rejects.toThrow('The state was replaced.');
  const { data } = await ok<{ data: { requestId: string }[] }>('GET', GENERATE);
  expect(data).toMatchObject([{ status: 'failed', error: { code: 'generation_failed' } }]);
  const id = data[0]?.requestId;
  expect((await call('POST', `${GENERATE}/${id}/cancel`)).status).toBe(409);
});
