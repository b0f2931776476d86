import type { Middleware as Layer } from 'openapi-fetch';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { defineDeployment } from '../../src/deployment/index.ts';
import {
  clientOf,
  completed,
  problem,
  type Reaction,
  until,
  useService,
} from './support/service.ts';

describe('client.http', () => {
  const service = useService();
  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
  });

  test('sends the same headers as the client and resolves with data', async () => {
    service.script({
      status: 201,
      json: { id: 'key_1', key: 'k' },
      headers: { 'x-request-id': 'req_1' },
    });
    const { client } = clientOf(service, { headers: { 'x-team': 'a' } });
    const { data, error, response } = await client.http.POST('/api/auth/api-keys', {
      body: { name: 'ci' },
    });
    expect([data, error, response.status]).toEqual([{ id: 'key_1', key: 'k' }, undefined, 201]);
    expect(response.headers.get('x-request-id')).toBe('req_1');
    expect(service.seen[0]).toMatchObject({
      method: 'POST',
      path: '/api/auth/api-keys',
      body: '{"name":"ci"}',
    });
    expect(service.seen[0]?.headers).toMatchObject({
      'x-api-key': 'cg_test_key',
      'x-team': 'a',
      'content-type': 'application/json',
    });
  });

  test.each([
    ['a generated', undefined, expect.any(String)],
    ["the caller's", 'mine', 'mine'],
  ])('retries with %s idempotency key', async (_, given, key) => {
    service.script(problem(503, 'unavailable'), { json: completed });
    const { data } = await clientOf(service).client.http.POST('/api/ai/content/generate', {
      body: { prompt: 'p' },
      ...(given && { params: { header: { 'Idempotency-Key': given } } }),
    });
    expect(data).toMatchObject({ result: 'a haiku' });
    const sent = service.seen.map(({ headers, body }) => [headers['idempotency-key'], body]);
    expect(sent).toEqual([[key, '{"prompt":"p"}'], sent[0]]);
  });

  test('an error status is a result, not an exception', async () => {
    service.script(problem(503, 'unavailable'));
    const { client } = clientOf(service, { maxRetries: 1 });
    const { data, error, response } = await client.http.GET('/api/usage');
    expect([data, response.status, response.bodyUsed]).toEqual([undefined, 503, true]);
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(response).toBeInstanceOf(Response);
    expect(service.seen).toHaveLength(2);
  });

  test.each<[string, Reaction, error: object]>([
    ['a lost connection', { fault: 'disconnect' }, { name: 'ConnectionError' }],
    [
      'a 2xx response that is not JSON',
      { text: '<html>', headers: { 'content-type': 'text/html' } },
      { name: 'ParseError', code: 'invalid_response' },
    ],
  ])('%s throws a typed error', async (_, reaction, error) => {
    service.script(reaction);
    const call = clientOf(service, { maxRetries: 0 }).client.http.GET('/api/usage');
    await expect(call).rejects.toMatchObject({ ...error, operation: 'getUsage' });
  });

  test('a response without a body has no data', async () => {
    service.script({ status: 204 });
    const { response, data } = await clientOf(service).client.http.DELETE('/api/webhooks/{id}', {
      params: { path: { id: 'wh_1' } },
    });
    expect([response.status, data]).toEqual([204, undefined]);
    expect(service.seen[0]?.path).toBe('/api/webhooks/wh_1');
  });

  test('middleware of one call or of all calls gets a real Request and an unread Response', async () => {
    service.script({ json: { used: 1 } });
    const { client } = clientOf(service);
    const seen: unknown[] = [];
    const layer = (name: string): Layer => ({
      onRequest: ({ request }) => new Request(request, { headers: { 'x-by': name } }),
      onResponse: async ({ response }) => {
        seen.push(name, await response.clone().json());
        return Response.json({ used: 2 });
      },
    });
    const single = await client.http.GET('/api/usage', { middleware: [layer('single')] });
    client.http.use(layer('always'));
    const always = await client.http.GET('/api/usage');
    expect(seen).toEqual(['single', { used: 1 }, 'always', { used: 1 }]);
    expect([single.data, always.data]).toEqual([{ used: 2 }, { used: 2 }]);
    expect(service.seen.map(({ headers }) => headers['x-by'])).toEqual(['single', 'always']);
  });

  test.each(['text', 'stream'] as const)(
    'parseAs %s returns the body unchanged',
    async (parseAs) => {
      service.script({ json: { used: 1 } });
      const { data } = await clientOf(service).client.http.GET('/api/usage', { parseAs });
      expect(await new Response(data as BodyInit).text()).toBe('{"used":1}');
    },
  );

  test('middleware too sees the names of the contract', async () => {
    service.script({ json: { key_id: 'key_1' } });
    const deployment = defineDeployment({ fields: { 'ApiKey.id': 'key_id' } });
    const { client } = clientOf(service, { deployment });
    const onResponse = vi.fn();
    client.http.use({ onResponse });
    const path = { id: 'key_1' };
    const { data } = await client.http.GET('/api/auth/api-keys/{id}', { params: { path } });
    expect(data).toMatchObject({ id: 'key_1' });
    expect(onResponse).toHaveBeenCalledOnce();
  });

  test('a stream is passed through and ends when the signal aborts', async () => {
    service.script({
      headers: { 'content-type': 'text/event-stream' },
      chunks: ['data: 1\n\n'],
      ending: 'stall',
    });
    const controller = new AbortController();
    const { data } = await clientOf(service).client.http.POST('/api/ai/content/generate', {
      body: { prompt: 'p', stream: true },
      parseAs: 'stream',
      signal: controller.signal,
    });
    const reader = (data as ReadableStream<Uint8Array>).getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('data: 1\n\n');
    const next = reader.read().catch((error: unknown) => error);
    service.ended = 0;
    controller.abort();
    expect(await next).toMatchObject({ name: 'AbortedError' });
    await until(() => service.ended === 1);
  });
});
