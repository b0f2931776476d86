// @vitest-environment jsdom
import { ContentGen, isContentGenError } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { serve } from 'contentgen/mock/http';
import { createTestRequest, sampleEvent } from 'contentgen/testing';
import { createWebhookHandler } from 'contentgen/webhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';

let mock;
let served;

beforeAll(async () => {
  mock = createMockServer();
  served = await serve(mock, { port: 0 });
});
afterAll(() => served?.close());

// That of Vitest 2 replaces AbortController, that of Vitest 5 does not.
test('this is jsdom', () => {
  expect(navigator.userAgent).toContain('jsdom');
});

test('an API key is rejected, as on a page, unless the option allows it', () => {
  const options = { baseUrl: 'https://api.example.com', apiKey: mock.adminKey };
  expect(() => new ContentGen(options)).toThrow('dangerouslyAllowBrowser');
  expect(() => new ContentGen({ ...options, baseUrl: served.url })).not.toThrow();
  expect(() => new ContentGen({ ...options, dangerouslyAllowBrowser: true })).not.toThrow();
});

test('calls, streams, lists and aborts work over the network', async () => {
  const client = new ContentGen({
    baseUrl: served.url,
    apiKey: mock.adminKey,
  });
  const { result, requestId } = await client.content.generate({ prompt: 'Hi' });
  expect(result).not.toBe('');
  let text = '';
  for await (const piece of client.content.stream({ prompt: 'Hi' })) text += piece;
  expect(text).not.toBe('');
  const { data } = await client.content.list({ limit: 1 });
  expect(data).toHaveLength(1);
  expect((await client.http.GET('/api/usage')).response.status).toBe(200);

  const controller = new AbortController();
  const aborted = client.content.get(requestId, { signal: controller.signal });
  controller.abort();
  await expect(aborted).rejects.toMatchObject({ code: 'aborted' });
  const late = client.withOptions({ fetch: () => new Promise(() => {}) }).usage;
  await expect(late.get({ timeout: 5, maxRetries: 0 })).rejects.toMatchObject({
    code: 'attempt_timeout',
  });
});

test('the reference server in process serves a client with an access token', async () => {
  const token = await mock.issueToken({ role: 'admin' });
  const client = new ContentGen({ baseUrl: mock.baseUrl, accessToken: token, fetch: mock.fetch });
  expect((await client.content.generate({ prompt: 'Hi' })).status).toBe('completed');
  const { error } = await client.content.get('gen_unknown').safe();
  expect(isContentGenError(error) && error.code).toBe('not_found');
});

test('a middleware gets a Request, and headers of jsdom are accepted', async () => {
  const seen = [];
  const client = new ContentGen({
    baseUrl: served.url,
    apiKey: mock.adminKey,
    dangerouslyAllowBrowser: true,
    middleware: [
      (request, next) => {
        seen.push(request.method);
        return next(request);
      },
    ],
  });
  await client.usage.get();
  expect(seen).toEqual(['GET']);
});

test('a handler verifies a signed delivery', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const handled = [];
  const handler = createWebhookHandler({
    secret,
    on: { generation_completed: ({ id }) => handled.push(id) },
  });
  const request = await createTestRequest(sampleEvent('generation_completed'), { secret });
  expect((await handler(request)).status).toBe(200);
  expect(handled).toHaveLength(1);
});
