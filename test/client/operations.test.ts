import { describe, expect, test } from 'vitest';
import { operations } from '../../src/generated/operations.ts';
import { rows } from './support/operations.ts';
import { clientOf, completed, useService } from './support/service.ts';

describe('an operation', () => {
  const service = useService();

  test.each(Object.keys(rows) as (keyof typeof rows)[])('%s', async (operation) => {
    const [call, path, response, body] = rows[operation];
    const { method } = operations[operation];
    const isEmpty = operation === 'deleteWebhook';
    service.script(isEmpty ? { status: 204 } : { json: response });
    const result = await call(clientOf(service).client);
    expect(result).toEqual(isEmpty ? undefined : response);
    const [request] = service.seen;
    expect(service.seen).toHaveLength(1);
    expect(request).toMatchObject({ method, path });
    expect(request?.headers['x-api-key']).toBe('cg_test_key');
    expect(request?.headers['authorization']).toBeUndefined();
    expect(request?.headers['content-type']).toBe(body && 'application/json');
    expect(request?.body).toBe(body ? JSON.stringify(body) : '');
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

  test('since can be a Date, in a query and in a body, but not an invalid one', async () => {
    const { client } = clientOf(service);
    const since = new Date('2026-01-01T00:00:00+01:00');
    service.script({ json: { data: [] } }, { json: { count: 1 } });
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
    service.script({ json: { used: 1 } });
    const call = clientOf(service).client.usage.get();
    const all = await Promise.all([
      call,
      call,
      call.withResponse(),
      call.safe(),
      call.then((it) => it.used),
      call.finally(() => {}),
    ]);
    expect(all).toMatchObject([
      { used: 1 },
      { used: 1 },
      { data: { used: 1 } },
      { ok: true, value: { used: 1 } },
      1,
      { used: 1 },
    ]);
    expect(service.seen).toHaveLength(1);
    expect(call).toBeInstanceOf(Promise);
  });

  test('a call that is never awaited is still sent', async () => {
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
