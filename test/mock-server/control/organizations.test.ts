import { expect, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import { createMockServer } from '../../../mock-server/index.ts';
import { contractServer, GENERATE, inbox, rejection } from '../service/helpers.ts';

const webhookUrl = 'https://app.example/cb';

test('each organization has its own keys, quota, data and secret, and sees nothing of the others', async () => {
  const on = contractServer({ quota: 1_000_000 });
  const { mock, ok, call } = on;
  const [one, other] = [mock.createOrganization({ quota: 1 }), mock.createOrganization()];
  expect(new Set([mock, one, other].map(({ signingSecret }) => signingSecret)).size).toBe(3);
  await ok('POST', GENERATE, { prompt: 'mine' }, { key: one.memberKey });
  expect(
    await rejection(await call('POST', GENERATE, { prompt: 'p' }, { key: one.memberKey })),
  ).toEqual([429, 'quota_exceeded']);
  expect(await ok('GET', '/api/usage', undefined, { key: other.memberKey })).toMatchObject({
    organization: other.organization,
    used: 0,
    quota: 1_000_000,
  });
  const hook = { event: 'data_updated', url: 'https://app.example/hooks' };
  await ok('POST', '/api/webhooks', hook, { key: one.adminKey });
  for (const path of [GENERATE, '/api/webhooks', '/api/webhooks/deliveries']) {
    expect(await ok('GET', path, undefined, { key: other.adminKey })).toMatchObject({ data: [] });
  }
});

test('a further project of an organization shares its quota but not its data', async () => {
  const { mock, ok } = contractServer();
  const sibling = mock.createOrganization({ organization: mock.organization });
  expect(sibling.organization).toBe(mock.organization);
  await ok('POST', GENERATE, { prompt: 'shared' });
  const usage = await ok<{ requests: number }>('GET', '/api/usage', undefined, {
    key: sibling.memberKey,
  });
  expect(usage.requests).toBe(1);
  expect(await ok('GET', GENERATE, undefined, { key: sibling.adminKey })).toMatchObject({
    data: [],
  });
  const listed = internalsOf(mock).page.organizations();
  expect(listed).toHaveLength(2);
  expect(JSON.stringify(listed)).not.toContain('cg_test_');
});

test('a token gives its user access until it expires', async () => {
  const { mock } = contractServer();
  const token = await mock.issueToken({ role: 'member', expiresIn: '1 hour' });
  const expired = await mock.issueToken({ role: 'admin', expiresIn: -60_000 });
  const status = async (accessToken: string) => {
    const headers = { authorization: `Bearer ${accessToken}` };
    return (await mock.fetch(`${mock.baseUrl}/api/usage`, { headers })).status;
  };
  expect([await status(token), await status(expired)]).toEqual([200, 401]);
  await mock.clock.advance('2 hours');
  expect(await status(token)).toBe(401);
});

test("an existing organization's quota can be changed", async () => {
  const { mock, ok } = contractServer();
  mock.createOrganization({ organization: mock.organization, quota: 5 });
  expect(await ok('GET', '/api/usage')).toMatchObject({ quota: 5, remaining: 5 });
});

test('a callback is signed with the secret of the project that requested it', async () => {
  const on = contractServer();
  const another = on.mock.createOrganization();
  inbox(on, webhookUrl);
  await on.ok('POST', GENERATE, { prompt: 'p', webhookUrl });
  await on.ok('POST', GENERATE, { prompt: 'p', webhookUrl }, { key: another.memberKey });
  await on.mock.settle();
  const { verifyWebhook } = await import('../../../src/webhooks/index.ts');
  const verify = (index: number, secret: string) => {
    const delivery = on.mock.deliveries()[index];
    const headers = delivery?.attempts[0]?.requestHeaders ?? {};
    const body = delivery?.body ?? '';
    return verifyWebhook({
      body,
      headers,
      secret,
      now: on.mock.clock.now,
      logger: { ...console, diagnose: false },
    });
  };
  expect((await verify(0, on.mock.signingSecret)).type).toBe('generation_completed');
  expect((await verify(1, another.signingSecret)).type).toBe('generation_completed');
  await expect(verify(1, on.mock.signingSecret)).rejects.toMatchObject({
    code: 'signature_mismatch',
  });
});

test('an unknown organization and an invalid quota are rejected', () => {
  const { mock } = contractServer();
  const code = (value: string) => expect.objectContaining({ code: value });
  expect(() => mock.createOrganization({ organization: 'nope' })).toThrow(code('not_found'));
  expect(() => mock.createOrganization({ quota: -1 })).toThrow(code('validation_failed'));
  expect(() => mock.createOrganization({ quota: Number.NaN })).toThrow(code('validation_failed'));
});

test('a valid admin key is accepted and a malformed one is rejected', async () => {
  const { adminKey } = contractServer({ seed: 9 }).mock;
  const { mock, ok } = contractServer({ adminKey });
  expect(mock.adminKey).toBe(adminKey);
  await ok('GET', '/api/webhooks');
  expect(() => createMockServer({ adminKey: 'cg_test_mine' })).toThrow('adminKey');
});

test.each([
  { baseUrl: 'api.example.com' },
  { baseUrl: 'https://api.example.com?x=1' },
  { seed: 1.5 },
  { seed: Number.NaN },
  { quota: -1 },
  { clok: 'manual' },
  { clock: 'fast' },
  { processingTime: -1 },
  { processingTime: { min: 2, max: 1 } },
  { processingTime: Number.NaN },
  { processingTime: null },
  { rateLimit: { limit: 0, windowSeconds: 1 } },
  { rateLimit: { limit: Number.NaN, windowSeconds: 1 } },
  { deployment: { tokenHeader: 'X-Token' } },
  { models: 'a,b' },
  { generator: 'gpt' },
  { retention: { lines: 0 } },
  { deliveries: { ca: 'not PEM' } },
  { deliveries: { allow: true } },
  { faults: [{ operation: 'getUsage', effect: { status: 1 } }] },
])('an invalid option is rejected: %j', (options) => {
  const create = () => createMockServer(options as never);
  expect(create).toThrow(TypeError);
  expect(create).toThrow(expect.objectContaining({ code: 'validation_failed' }));
});

test('a listener gets events and requests until it is removed', async () => {
  const { mock, ok } = contractServer();
  const heard: string[] = [];
  const stopEvents = internalsOf(mock).onEvent(({ type }) => heard.push(type));
  const stopRequests = internalsOf(mock).onRequest(({ operation }) =>
    heard.push(String(operation)),
  );
  await ok('POST', GENERATE, { prompt: 'p' });
  expect(heard).toEqual(['generation.accepted', 'generation.completed', 'generateContent']);
  stopEvents();
  stopRequests();
  await ok('POST', GENERATE, { prompt: 'p' });
  expect(heard).toHaveLength(3);
});

test('the logs page forward and backward and contain no secrets', async () => {
  const { mock, ok } = contractServer();
  const token = 'a-token-of-sixteen';
  await ok('POST', '/api/webhooks', { event: 'data_updated', url: 'https://app.example/h', token });
  for (let turn = 0; turn < 4; turn += 1) await ok('GET', '/api/usage');
  const all = mock.requests();
  expect(all).toHaveLength(5);
  const [first, second] = all;
  expect(mock.requests({ limit: 2 })).toEqual([first, second]);
  const newest = internalsOf(mock).page.lists.requests({ limit: 2 });
  expect(newest).toEqual({ data: [all[4], all[3]], total: 5 });
  expect(mock.requests({ organization: 'org_nope' })).toEqual([]);
  expect(JSON.stringify([all, mock.events()])).not.toContain(token);
  expect(first).toMatchObject({ operation: 'createWebhook', body: { event: 'data_updated' } });
});

test('logs keep the newest lines up to their limit', async () => {
  const { mock, ok } = contractServer({ retention: { lines: 10 } });
  for (let turn = 0; turn < 20; turn += 1) await ok('POST', GENERATE, { prompt: 'p' });
  expect([mock.requests().length, mock.events().length]).toEqual([10, 10]);
});
