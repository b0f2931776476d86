import { expect, test } from 'vitest';
import { GenerationFailure } from '../../../mock-server/index.ts';
import {
  type ContractServer,
  contractServer,
  GENERATE,
  inbox,
  listening,
  rejection,
} from './helpers.ts';

/** Each generation uses ten tokens: one for the prompt, nine for the result. */
const tenTokens = {
  generator: async function* ({ prompt }: { prompt: string }) {
    if (prompt === 'fails') throw new GenerationFailure('As asked.');
    yield 'nine';
    return { promptTokens: 1, completionTokens: 9 };
  },
};
const body = { prompt: 'p' };

const january = {
  periodStart: '2026-01-01T00:00:00.000Z',
  periodEnd: '2026-02-01T00:00:00.000Z',
};
const february = {
  periodStart: '2026-02-01T00:00:00.000Z',
  periodEnd: '2026-03-01T00:00:00.000Z',
};

test('only completed generations count', async () => {
  const { call, ok, mock } = contractServer({ ...tenTokens, quota: 100 });
  await call('POST', GENERATE, { prompt: 'fails' });
  const { requestId } = await ok<{ requestId: string }>('POST', GENERATE, {
    ...body,
    webhookUrl: 'https://app.example/cb',
  });
  await ok('POST', `${GENERATE}/${requestId}/cancel`);
  await mock.settle();
  const of = { organization: mock.organization, quota: 100, ...january };
  expect(await ok('GET', '/api/usage')).toEqual({ ...of, used: 0, remaining: 100, requests: 0 });
  await ok('POST', GENERATE, body);
  expect(await ok('GET', '/api/usage')).toEqual({ ...of, used: 10, remaining: 90, requests: 1 });
});

test('a generation that starts below the quota can finish above it; the next is rejected until the month ends', async () => {
  const { call, ok, mock } = contractServer({ ...tenTokens, quota: 15 });
  await ok('POST', GENERATE, body);
  await ok('POST', GENERATE, body);
  const rejected = await call('POST', GENERATE, body);
  expect(await rejected.clone().json()).toMatchObject({ resetsAt: january.periodEnd });
  expect(rejected.headers.get('retry-after')).toBeNull();
  expect(await rejection(rejected)).toEqual([429, 'quota_exceeded']);
  expect(await ok('GET', '/api/usage')).toMatchObject({ used: 20, remaining: 0 });
  await mock.clock.advance('31 days');
  expect(await ok('GET', '/api/usage')).toMatchObject({ used: 0, ...february });
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
  const told = {
    event: 'usage_threshold',
    organization: mock.organization,
    occurredAt: '2026-01-01T00:00:00.000Z',
    usage: 30,
    quota: 25,
  };
  expect(received).toEqual([
    { ...told, threshold: 22, ...january },
    { ...told, threshold: 25, ...january },
  ]);
  await mock.clock.advance('31 days');
  for (let turn = 0; turn < 3; turn += 1) await generate();
  expect(received).toHaveLength(4);
  expect(received[2]).toMatchObject({ usage: 30, ...february });
});

/** The bodies that arrive at a registration with a threshold. */
async function notified(on: ContractServer, name: string, more: object = {}, options: object = {}) {
  const url = `https://app.example/${name}`;
  const received = inbox(on, url);
  const hook = { event: 'usage_threshold', url, ...more };
  const { id } = await on.ok<{ id: string }>('POST', '/api/webhooks', hook, options);
  return { id, received };
}

test('reaching the threshold exactly notifies, and a threshold of 1 notifies once', async () => {
  const on = contractServer({ ...tenTokens, quota: 20 });
  const half = await notified(on, 'half', { threshold: 0.5 });
  const whole = await notified(on, 'whole', { threshold: 1 });
  await on.ok('POST', GENERATE, body);
  await on.mock.settle();
  expect(half.received).toMatchObject([{ usage: 10, threshold: 10 }]);
  await on.ok('POST', GENERATE, body);
  await on.mock.settle();
  expect(half.received).toMatchObject([{ threshold: 10 }, { usage: 20, threshold: 20 }]);
  expect(whole.received).toMatchObject([{ usage: 20, threshold: 20 }]);
});

test('a threshold is exact: 57 % of 100 is 57', async () => {
  const on = contractServer({
    async *generator() {
      yield 'text';
      return { promptTokens: 29, completionTokens: 29 };
    },
    quota: 100,
  });
  const { received } = await notified(on, 'threshold', { threshold: 0.57 });
  await on.ok('POST', GENERATE, body);
  await on.mock.settle();
  expect(received.map(({ threshold }) => threshold)).toEqual([57]);
});

test('a later registration and a lower threshold notify with the next counted generation, a disabled one never', async () => {
  const on = contractServer({ ...tenTokens, quota: 40 });
  const { ok, mock } = on;
  const lower = await notified(on, 'lower');
  await ok('POST', GENERATE, body);
  const late = await notified(on, 'late', { threshold: 0.1 });
  const silent = await notified(on, 'silent', { threshold: 0.1 });
  await ok('PATCH', `/api/webhooks/${lower.id}`, { threshold: 0.1 });
  await ok('PATCH', `/api/webhooks/${silent.id}`, { status: 'disabled' });
  await mock.settle();
  expect([...late.received, ...lower.received]).toEqual([]);
  await ok('POST', GENERATE, body);
  await mock.settle();
  for (const { received } of [late, lower])
    expect(received).toMatchObject([{ usage: 20, threshold: 4 }]);
  expect(silent.received).toEqual([]);
});

test('the registrations of all projects of the organization are notified, those of other organizations are not', async () => {
  const on = contractServer({ ...tenTokens, quota: 10 });
  const { ok, mock } = on;
  const sibling = mock.createOrganization({ organization: mock.organization });
  const stranger = mock.createOrganization();
  const theirs = await notified(on, 'sibling', {}, { key: sibling.adminKey });
  const strangers = await notified(on, 'stranger', {}, { key: stranger.adminKey });
  await ok('POST', GENERATE, body);
  await mock.settle();
  expect(theirs.received).toHaveLength(2);
  expect(strangers.received).toEqual([]);
  const used = async (key: string) => (await ok('GET', '/api/usage', undefined, { key }))['used'];
  expect([await used(sibling.memberKey), await used(stranger.memberKey)]).toEqual([10, 0]);
});
