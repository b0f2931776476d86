import { describe, expect, test } from 'vitest';
import { operations } from '../../src/generated/operations.ts';
import type { ContentGen, Page } from './support/entry.ts';
import { clientOf, completed, transports, useService } from './support/service.ts';

type Make = (client: ContentGen) => PromiseLike<unknown>;
const page: Omit<Page<object>, 'nextPage'> = { data: [], nextCursor: null };

/** Every operation: the call, the request and the response. The alias is only reachable through `paths`. */
const rows: Record<
  Exclude<keyof typeof operations, 'createApiKeyAlias'>,
  { call: Make; path: string; body?: object; response: object }
> = {
  generateContent: {
    call: (client) => client.content.generate({ prompt: 'p', seed: 1, metadata: { a: 'b' } }),
    path: '/api/ai/content/generate',
    body: { prompt: 'p', seed: 1, metadata: { a: 'b' } },
    response: completed,
  },
  listGenerations: {
    call: (client) => client.content.list({ status: 'failed', limit: 3, cursor: 'a/b&c' }),
    path: '/api/ai/content/generate?status=failed&limit=3&cursor=a%2Fb%26c',
    response: page,
  },
  getGeneration: {
    call: (client) => client.content.get('gen_1'),
    path: '/api/ai/content/generate/gen_1',
    response: completed,
  },
  cancelGeneration: {
    call: (client) => client.content.cancel('gen_1'),
    path: '/api/ai/content/generate/gen_1/cancel',
    response: { ...completed, status: 'canceled' },
  },
  createApiKey: {
    call: (client) => client.apiKeys.create({ name: 'ci', role: 'member', expiresAt: null }),
    path: '/api/auth/api-keys',
    body: { name: 'ci', role: 'member', expiresAt: null },
    response: { id: 'key_1', key: 'cg_test_new' },
  },
  listApiKeys: {
    call: (client) => client.apiKeys.list(),
    path: '/api/auth/api-keys',
    response: page,
  },
  getApiKey: {
    call: (client) => client.apiKeys.get('key 1'),
    path: '/api/auth/api-keys/key%201',
    response: { id: 'key 1' },
  },
  revokeApiKey: {
    call: (client) => client.apiKeys.revoke('key_1'),
    path: '/api/auth/api-keys/key_1/revoke',
    response: { id: 'key_1' },
  },
  regenerateApiKey: {
    call: (client) => client.apiKeys.regenerate('key_1', { gracePeriodSeconds: 0 }),
    path: '/api/auth/api-keys/key_1/regenerate',
    body: { gracePeriodSeconds: 0 },
    response: { id: 'key_2', key: 'cg_test_new' },
  },
  createWebhook: {
    call: (client) =>
      client.webhooks.create({
        event: 'usage_threshold',
        url: 'https://a.example',
        threshold: 0.9,
      }),
    path: '/api/webhooks',
    body: { event: 'usage_threshold', url: 'https://a.example', threshold: 0.9 },
    response: { id: 'wh_1', secret: 'whsec_x' },
  },
  listWebhooks: {
    call: (client) => client.webhooks.list({ limit: 1 }),
    path: '/api/webhooks?limit=1',
    response: page,
  },
  getWebhook: {
    call: (client) => client.webhooks.get('wh_1'),
    path: '/api/webhooks/wh_1',
    response: { id: 'wh_1' },
  },
  updateWebhook: {
    call: (client) => client.webhooks.update('wh_1', { status: 'disabled' }),
    path: '/api/webhooks/wh_1',
    body: { status: 'disabled' },
    response: { id: 'wh_1' },
  },
  deleteWebhook: {
    call: (client) => client.webhooks.delete('wh_1'),
    path: '/api/webhooks/wh_1',
    response: {},
  },
  rotateWebhookSecret: {
    call: (client) => client.webhooks.rotateSecret('wh_1', { overlapSeconds: 0, force: true }),
    path: '/api/webhooks/wh_1/rotate-secret',
    body: { overlapSeconds: 0, force: true },
    response: { id: 'wh_1', secret: 'whsec_y' },
  },
  testWebhook: {
    call: (client) => client.webhooks.test('wh_1'),
    path: '/api/webhooks/wh_1/test',
    response: { id: 'dlv_1' },
  },
  listDeliveries: {
    call: (client) => client.webhooks.listDeliveries('wh_1', { status: 'failed', limit: 2 }),
    path: '/api/webhooks/wh_1/deliveries?status=failed&limit=2',
    response: page,
  },
  listCallbackDeliveries: {
    call: (client) =>
      client.webhooks.listCallbackDeliveries({ since: '2026-01-01T00:00:00+00:00' }),
    path: '/api/webhooks/deliveries?since=2026-01-01T00%3A00%3A00%2B00%3A00',
    response: page,
  },
  redeliver: {
    call: (client) => client.webhooks.redeliver('dlv_1'),
    path: '/api/webhooks/deliveries/dlv_1/redeliver',
    response: { id: 'dlv_1' },
  },
  redeliverFailed: {
    call: (client) =>
      client.webhooks.redeliverFailed('wh_1', { since: '2026-01-01T00:00:00.000Z' }),
    path: '/api/webhooks/wh_1/redeliver',
    body: { since: '2026-01-01T00:00:00.000Z' },
    response: { count: 2 },
  },
  redeliverFailedCallbacks: {
    call: (client) =>
      client.webhooks.redeliverFailedCallbacks({
        since: '2026-01-01T00:00:00.000Z',
        status: 'delivered',
      }),
    path: '/api/webhooks/deliveries/redeliver',
    body: { since: '2026-01-01T00:00:00.000Z', status: 'delivered' },
    response: { count: 3 },
  },
  getSigningSecret: {
    call: (client) => client.webhooks.getSigningSecret(),
    path: '/api/webhooks/signing-secret',
    response: { secret: 'whsec_x' },
  },
  rotateSigningSecret: {
    call: (client) => client.webhooks.rotateSigningSecret(),
    path: '/api/webhooks/signing-secret/rotate',
    response: { secret: 'whsec_y' },
  },
  getUsage: {
    call: (client) => client.usage.get(),
    path: '/api/usage',
    response: { used: 1, quota: 2 },
  },
};

describe.each(transports)('over a %s', (transport) => {
  const service = useService(transport);

  test.each(Object.keys(rows) as (keyof typeof rows)[])('%s', async (operation) => {
    const row = rows[operation];
    const { method } = operations[operation];
    service.seen.length = 0;
    service.script(operation === 'deleteWebhook' ? { status: 204 } : { json: row.response });
    const { client } = clientOf(service);

    const result = await row.call(client);

    expect(result).toEqual(operation === 'deleteWebhook' ? undefined : row.response);
    const [request] = service.seen;
    expect(service.seen).toHaveLength(1);
    expect(request).toMatchObject({ method, path: row.path });
    expect(request?.headers['x-api-key']).toBe('cg_test_key');
    expect(request?.headers['authorization']).toBeUndefined();
    expect(request?.headers['content-type']).toBe(row.body && 'application/json');
    expect(request?.body).toBe(row.body ? JSON.stringify(row.body) : '');
    expect(request?.headers['idempotency-key'] !== undefined).toBe(method === 'POST');
  });

  test.each([{}, [], new Map(), ['a']])(
    'a query parameter that is an object is a TypeError that names it: %j',
    async (status) => {
      const { client } = clientOf(service);
      const since = new Date('2026-01-01T00:00:00Z');
      const query = { since, status } as never;
      for (const call of [
        client.content.list(query),
        client.webhooks.listDeliveries('wh_1', query),
      ])
        await expect(call).rejects.toThrow(
          /^status must be a string, a number, a boolean or a Date/,
        );
      expect(service.seen).toHaveLength(0);
    },
  );

  test('a Date is an RFC 3339 time wherever a query has one', async () => {
    const { client } = clientOf(service);
    service.script({ json: { data: [], nextCursor: null } });
    await client.content.list({ status: new Date('2026-01-01T00:00:00+01:00') } as never);
    expect(service.seen[0]?.path).toContain('status=2025-12-31T23%3A00%3A00.000Z');
  });

  test('since can be a Date, in a query and in a body, but not an invalid one', async () => {
    const { client } = clientOf(service);
    const since = new Date('2026-01-01T00:00:00+01:00');
    service.seen.length = 0;
    service.script({ json: page }, { json: { count: 1 } });
    await client.content.list({ since });
    await client.webhooks.redeliverFailed('wh_1', { since });
    expect(service.seen.map(({ path }) => path)).toEqual([
      '/api/ai/content/generate?since=2025-12-31T23%3A00%3A00.000Z',
      '/api/webhooks/wh_1/redeliver',
    ]);
    expect(service.seen[1]?.body).toBe('{"since":"2025-12-31T23:00:00.000Z"}');
    const invalid = new Date(Number.NaN);
    await expect(client.webhooks.redeliverFailedCallbacks({ since: invalid })).rejects.toThrow(
      new TypeError('since is an invalid Date. Pass a valid one, or an RFC 3339 time.'),
    );
    expect(service.seen).toHaveLength(2);
  });

  test('the prefix of the base URL precedes every path', async () => {
    service.seen.length = 0;
    service.script({ json: { used: 1 } });
    await clientOf(service, { baseUrl: `${service.baseUrl}/v2/` }).client.usage.get();
    expect(service.seen[0]?.path).toBe('/v2/api/usage');
  });

  test('withResponse() returns the response and its details', async () => {
    service.script({
      json: { secret: 'whsec_new', used: 0 },
      headers: {
        'x-request-id': 'req_7',
        'idempotency-replayed': 'true',
        ratelimit: '"default";r=41;t=12',
        'ratelimit-policy': '"default";q=60;w=60',
      },
    });
    const { client } = clientOf(service);
    const call = client.webhooks.rotateSigningSecret(undefined, { idempotencyKey: 'mine' });
    const details = await call.withResponse();
    expect(details).toMatchObject({
      data: { secret: 'whsec_new' },
      requestId: 'req_7',
      replayed: true,
      idempotencyKey: 'mine',
      attempts: 1,
      rateLimit: { policy: 'default', remaining: 41, limit: 60, windowSeconds: 60 },
    });
    expect(details.response.status).toBe(200);
    expect(details.response.headers.get('x-request-id')).toBe('req_7');
    expect((await client.usage.get().withResponse()).idempotencyKey).toBeUndefined();
  });

  test('a call is sent once, however it is awaited', async () => {
    service.seen.length = 0;
    service.script({ json: { used: 1 } });
    const call = clientOf(service).client.usage.get();
    const all = await Promise.all([
      call,
      call,
      call.withResponse(),
      call.safe(),
      call.then((it) => it.used),
    ]);
    expect(all).toMatchObject([
      { used: 1 },
      { used: 1 },
      { data: { used: 1 } },
      { ok: true, value: { used: 1 } },
      1,
    ]);
    expect(service.seen).toHaveLength(1);
    expect(call).toBeInstanceOf(Promise);
  });

  test('a call that is never awaited is still sent', async () => {
    service.seen.length = 0;
    service.script({ json: { id: 'key_1' } });
    const call = clientOf(service).client.apiKeys.revoke('key_1');
    await expect.poll(() => service.seen.length).toBe(1);
    await call;
  });

  test('unknown fields of a response are kept', async () => {
    service.script({ json: { ...completed, brandNew: { a: 1 } } });
    expect(await clientOf(service).client.content.generate({ prompt: 'p' })).toHaveProperty(
      'brandNew',
      { a: 1 },
    );
  });
});
