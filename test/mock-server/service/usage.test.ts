import { expect, test } from 'vitest';
import type { UsagePeriod } from '../../../mock-server/domain/records.ts';
import { GenerationFailure } from '../../../mock-server/index.ts';
import { contractServer, GENERATE, inbox, listening, rejection } from './helpers.ts';

/** Each generation uses ten tokens: one for the prompt, nine for the result. */
const tenTokens = {
  generator: async function* ({ prompt }: { prompt: string }) {
    if (prompt === 'fails') throw new GenerationFailure('As asked.');
    yield 'nine';
    return { promptTokens: 1, completionTokens: 9 };
  },
};
const body = { prompt: 'p' };

test('only completed generations count', async () => {
  const { call, ok, mock } = contractServer(tenTokens);
  await call('POST', GENERATE, { prompt: 'fails' });
  const { requestId } = await ok<{ requestId: string }>('POST', GENERATE, {
    ...body,
    webhookUrl: 'https://app.example/cb',
  });
  await ok('POST', `${GENERATE}/${requestId}/cancel`);
  await mock.settle();
  expect(await ok('GET', '/api/usage')).toMatchObject({ used: 0, requests: 0 });
  await ok('POST', GENERATE, body);
  expect(await ok('GET', '/api/usage')).toMatchObject({ used: 10, requests: 1 });
});

test('a generation that starts below the quota can finish above it; the next is rejected', async () => {
  const { call, ok } = contractServer({ ...tenTokens, quota: 15 });
  await ok('POST', GENERATE, body);
  await ok('POST', GENERATE, body);
  const rejected = await call('POST', GENERATE, body);
  expect(await rejected.clone().json()).toMatchObject({ resetsAt: '2026-02-01T00:00:00.000Z' });
  expect(rejected.headers.get('retry-after')).toBeNull();
  expect(await rejection(rejected)).toEqual([429, 'quota_exceeded']);
  expect(await ok('GET', '/api/usage')).toMatchObject({ used: 20, remaining: 0 });
});

test('usage starts at zero each month', async () => {
  const { ok, mock } = contractServer({ ...tenTokens, quota: 10 });
  await ok('POST', GENERATE, body);
  await mock.clock.advance('31 days');
  expect(await ok('GET', '/api/usage')).toMatchObject({
    used: 0,
    periodStart: '2026-02-01T00:00:00.000Z',
    periodEnd: '2026-03-01T00:00:00.000Z',
  });
  await ok('POST', GENERATE, body);
});

test('a registration is notified once per period at its threshold and once at the quota', async () => {
  const { ok, mock, received } = await listening('usage_threshold', { ...tenTokens, quota: 25 });
  const generate = async () => {
    await ok('POST', GENERATE, body);
    await mock.settle();
  };
  await generate();
  await generate();
  expect(received).toEqual([]);
  await generate();
  const period = { periodStart: '2026-01-01T00:00:00.000Z', periodEnd: '2026-02-01T00:00:00.000Z' };
  const notified = {
    event: 'usage_threshold',
    organization: mock.organization,
    occurredAt: '2026-01-01T00:00:00.000Z',
    usage: 30,
    quota: 25,
  };
  expect(received).toEqual([
    { ...notified, threshold: 22, ...period },
    { ...notified, threshold: 25, ...period },
  ]);
  await mock.clock.advance('31 days');
  for (let turn = 0; turn < 3; turn += 1) await generate();
  expect(received).toHaveLength(4);
  expect(received[2]).toMatchObject({ usage: 30, periodStart: '2026-02-01T00:00:00.000Z' });
});

test('reaching the threshold exactly notifies, and a threshold of 1 notifies once', async () => {
  const on = contractServer({ ...tenTokens, quota: 20 });
  const half = inbox(on, 'https://app.example/half');
  const whole = inbox(on, 'https://app.example/whole');
  const register = (threshold: number, url: string) =>
    on.ok('POST', '/api/webhooks', { event: 'usage_threshold', url, threshold });
  await register(0.5, 'https://app.example/half');
  await register(1, 'https://app.example/whole');
  await on.ok('POST', GENERATE, body);
  await on.mock.settle();
  expect(half).toMatchObject([{ usage: 10, threshold: 10 }]);
  await on.ok('POST', GENERATE, body);
  await on.mock.settle();
  expect(half).toMatchObject([{ threshold: 10 }, { usage: 20, threshold: 20 }]);
  expect(whole).toMatchObject([{ usage: 20, threshold: 20 }]);
  expect(whole).toHaveLength(1);
});

test('a threshold is exact: 57 % of 100 is 57', async () => {
  const on = contractServer({
    async *generator() {
      yield 'text';
      return { promptTokens: 29, completionTokens: 29 };
    },
    quota: 100,
  });
  const url = 'https://app.example/threshold';
  const notified = inbox(on, url);
  const hook = { event: 'usage_threshold', url, threshold: 0.57 };
  const { id } = await on.ok<{ id: string }>('POST', '/api/webhooks', hook);
  await on.ok('POST', `/api/webhooks/${id}/test`);
  await on.ok('POST', GENERATE, body);
  await on.mock.settle();
  expect(notified.map(({ threshold }) => threshold)).toEqual([57, 57]);
});

test('a later registration is notified with the next counted generation, a disabled one never', async () => {
  const on = contractServer({ ...tenTokens, quota: 40 });
  const { ok, mock } = on;
  const received = inbox(on, 'https://app.example/late');
  const silent = inbox(on, 'https://app.example/silent');
  await ok('POST', GENERATE, body);
  const input = { event: 'usage_threshold', threshold: 0.1 };
  await ok('POST', '/api/webhooks', { ...input, url: 'https://app.example/late' });
  const { id } = await ok<{ id: string }>('POST', '/api/webhooks', {
    ...input,
    url: 'https://app.example/silent',
  });
  await ok('PATCH', `/api/webhooks/${id}`, { status: 'disabled' });
  await mock.settle();
  expect(received).toEqual([]);
  await ok('POST', GENERATE, body);
  await mock.settle();
  expect(received).toMatchObject([{ usage: 20, threshold: 4 }]);
  expect(silent).toEqual([]);
});

test('the registrations of all projects of the organization are notified, those of other organizations are not', async () => {
  const on = contractServer({ ...tenTokens, quota: 10 });
  const { ok, mock } = on;
  const sibling = mock.createOrganization({ organization: mock.organization });
  const stranger = mock.createOrganization();
  const theirs = inbox(on, 'https://app.example/sibling');
  const strangers = inbox(on, 'https://app.example/stranger');
  const register = (key: string, url: string) =>
    ok('POST', '/api/webhooks', { event: 'usage_threshold', url }, { key });
  await register(sibling.adminKey, 'https://app.example/sibling');
  await register(stranger.adminKey, 'https://app.example/stranger');
  await ok('POST', GENERATE, body);
  await mock.settle();
  expect(theirs).toHaveLength(2);
  expect(strangers).toEqual([]);
  expect(await ok('GET', '/api/usage', undefined, { key: sibling.memberKey })).toMatchObject({
    used: 10,
  });
  expect(await ok('GET', '/api/usage', undefined, { key: stranger.memberKey })).toMatchObject({
    used: 0,
  });
});

test('the next threshold is remembered until a registration or the quota changes', async () => {
  const on = await listening('usage_threshold', { ...tenTokens, quota: 100 });
  const { ok, mock, received, hook } = on;
  const quiet = () => (mock.snapshot().state.usage?.[0] as UsagePeriod | undefined)?.quietBelow;
  await ok('POST', GENERATE, body);
  expect(quiet()).toEqual({ used: 90, quota: 100 });
  await ok('PATCH', `/api/webhooks/${hook.id}`, { threshold: 0.1 });
  expect(quiet()).toBeUndefined();
  await ok('POST', GENERATE, body);
  await ok('POST', GENERATE, body);
  expect(quiet()).toEqual({ used: 100, quota: 100 });
  const url = 'https://app.example/hooks';
  await ok('POST', '/api/webhooks', { event: 'usage_threshold', url, threshold: 0.2 });
  await ok('POST', GENERATE, body);
  await mock.settle();
  expect(received).toMatchObject([
    { usage: 20, threshold: 10 },
    { usage: 40, threshold: 20 },
  ]);
});
