import { describe, expect, test } from 'vitest';
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
  expect(mock.organizations()).toHaveLength(2);
});

test("an existing organization's quota can be changed", async () => {
  const { mock, ok } = contractServer();
  mock.createOrganization({ organization: mock.organization, quota: 5 });
  expect(await ok('GET', '/api/usage')).toMatchObject({ quota: 5, remaining: 5 });
});

test('a callback is signed with the secret of the project that requested it', async () => {
  const on = contractServer();
  const tenant = on.mock.createOrganization();
  inbox(on, webhookUrl);
  await on.ok('POST', GENERATE, { prompt: 'p', webhookUrl });
  await on.ok('POST', GENERATE, { prompt: 'p', webhookUrl }, { key: tenant.memberKey });
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
  expect((await verify(1, tenant.signingSecret)).type).toBe('generation_completed');
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
  { logLimit: 0 },
  { faults: [{ operation: 'getUsage', effect: { status: 1 } }] },
])('an invalid option is rejected: %j', (options) => {
  const create = () => createMockServer(options as never);
  expect(create).toThrow(TypeError);
  expect(create).toThrow(expect.objectContaining({ code: 'validation_failed' }));
});

test('a listener gets events and requests until it is removed', async () => {
  const { mock, ok } = contractServer();
  const heard: string[] = [];
  const stopEvents = mock.onEvent(({ type }) => heard.push(type));
  const stopRequests = mock.onRequest(({ operation }) => heard.push(String(operation)));
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
  expect(mock.requests({ after: first?.id as string, limit: 1 })).toEqual([second]);
  expect(mock.requests({ order: 'desc', limit: 1 })).toEqual([all[4]]);
  expect(mock.requests({ order: 'desc', before: second?.id as string })).toEqual([first]);
  expect(mock.requests({ organization: 'org_nope' })).toEqual([]);
  expect(JSON.stringify([all, mock.events()])).not.toContain(token);
  expect(first).toMatchObject({ operation: 'createWebhook', body: { event: 'data_updated' } });
});

test('logs keep the newest lines up to their limit', async () => {
  const { mock, ok } = contractServer({ logLimit: 10 });
  for (let turn = 0; turn < 20; turn += 1) await ok('POST', GENERATE, { prompt: 'p' });
  expect([mock.requests().length, mock.events().length]).toEqual([10, 10]);
});

describe('deleting an organization', () => {
  test('removes everything it has and leaves the others unchanged', async () => {
    const { mock, ok } = contractServer({ rateLimit: { limit: 100, windowSeconds: 60 } });
    await ok('POST', GENERATE, { prompt: 'kept' });
    const tenantOf = ({ organization, project }: { organization: string; project: string }) =>
      JSON.stringify(mock.snapshot()).match(new RegExp(`${organization}|${project}`, 'g'))?.length;
    const before = tenantOf(mock);
    const other = mock.createOrganization();
    mock.faults.add({
      operation: '*',
      organization: other.organization,
      effect: { status: 503 },
      times: 1,
      probability: 0,
    });
    const key = other.adminKey;
    await ok('POST', GENERATE, { prompt: 'x' }, { key, headers: { 'idempotency-key': 'a' } });
    await ok(
      'POST',
      '/api/webhooks',
      { event: 'data_updated', url: 'https://a.example/' },
      { key },
    );
    await ok('POST', GENERATE, { prompt: 'x', webhookUrl: 'https://a.example/' }, { key });
    mock.trigger('data_updated', {}, other);
    mock.trigger('invoice_paid', {}, other);
    mock.deleteOrganization(other.organization);
    await mock.clock.advance('32 days');

    expect(mock.organizations()).toMatchObject([{ organization: mock.organization }]);
    const left = mock.events().filter(({ subject }) => subject === other.organization);
    expect(left).toMatchObject([{ type: 'organization.deleted' }]);
    expect(tenantOf(other)).toBe(1);
    expect(tenantOf(mock)).toBeGreaterThanOrEqual(before ?? 0);
    expect(mock.faults.list()).toEqual([]);
  });

  test('its keys stop working, and a request in flight for it ends', async () => {
    let started = () => {};
    const running = new Promise<void>((resolve) => (started = resolve));
    const { mock, call } = contractServer({
      async *generator(_, { signal }) {
        started();
        yield await new Promise<string>((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      },
    });
    const { organization, adminKey: key } = mock.createOrganization();
    const response = call('POST', GENERATE, { prompt: 'x' }, { key });
    await running;
    mock.deleteOrganization(organization);
    expect(await rejection(await response)).toEqual([409, 'invalid_state']);
    const later = await call('GET', '/api/usage', undefined, { key });
    expect(await rejection(later)).toEqual([401, 'invalid_api_key']);
  });

  test('a token issued for it does not recreate it', async () => {
    const { mock, call } = contractServer();
    const { organization, project } = mock.createOrganization();
    const token = await mock.issueToken({ role: 'admin', organization, project });
    mock.deleteOrganization(organization);
    const response = await call('GET', '/api/usage', undefined, {
      key: null,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await rejection(response)).toEqual([401, 'invalid_token']);
    expect(mock.organizations()).toMatchObject([{ organization: mock.organization }]);
  });

  test.each([
    ['POST', '/api/auth/api-keys', { name: 'late' }],
    ['POST', '/api/webhooks', { event: 'data_updated', url: 'https://a.example/' }],
    ['POST', GENERATE, { prompt: 'late', webhookUrl: 'https://a.example/' }],
    ['POST', '/api/webhooks/signing-secret/rotate', {}],
  ])('%s %s, whose body is still on its way, leaves nothing behind', async (method, path, body) => {
    const { mock } = contractServer();
    const { organization, project, adminKey } = mock.createOrganization();
    const upload = new TransformStream<Uint8Array, Uint8Array>();
    const writer = upload.writable.getWriter();
    const response = mock.fetch(mock.baseUrl + path, {
      method,
      headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
      body: upload.readable,
      duplex: 'half',
    } as RequestInit);
    await writer.write(new Uint8Array());
    mock.deleteOrganization(organization);
    await writer.write(new TextEncoder().encode(JSON.stringify(body)));
    await writer.close();
    expect(await rejection(await response)).toEqual([401, 'invalid_api_key']);
    expect(mock.requests({ organization })).toEqual([]);
    const saved = JSON.stringify(mock.snapshot());
    expect(saved).not.toContain(project);
    // The event of the deletion.
    expect(saved.split(organization)).toHaveLength(2);
  });

  test('the first organization stays, and an unknown one is not found', () => {
    const { mock } = contractServer();
    expect(() => mock.deleteOrganization(mock.organization)).toThrow(
      "The server's first organization cannot be deleted.",
    );
    expect(() => mock.deleteOrganization('org_none')).toThrow('No organization has the id');
  });
});
