import { expect, onTestFinished, test } from 'vitest';
import { createMockServer } from '../../mock-server/index.ts';
import { defineDeployment } from '../../src/deployment/index.ts';
import { routes } from '../../src/generated/routes.ts';
import { ContentGen, ValidationError } from '../../src/index.ts';
import { givenOnly } from './contract.ts';

function setUp() {
  const deployment = defineDeployment(givenOnly);
  const mock = createMockServer({ deployment, clock: 'manual', seed: 1 });
  onTestFinished(() => mock.close());
  const send = async (route: string, body?: object, apiKey: string = mock.adminKey) => {
    const [method = '', path = ''] = route.split(' ');
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
    const init = { method, headers, body: body ? JSON.stringify(body) : null };
    const response = await mock.fetch(new Request(mock.baseUrl + path, init));
    const text = await response.text();
    const { status } = response;
    return {
      status,
      type: response.headers.get('content-type'),
      text,
      body: text && JSON.parse(text),
    };
  };
  return { mock, send };
}

test('given-only has no other operation', async () => {
  const { send } = setUp();
  const given = ['generateContent', 'createApiKey', 'createApiKeyAlias', 'createWebhook'];
  for (const [operation, route] of Object.entries(routes)) {
    if (given.includes(operation)) continue;
    const { status, text } = await send(route.replace(/\{\w+\}/, 'x1'));
    expect([404, 405], operation).toContain(status);
    expect(text).toBe('');
  }
});

test('given-only answers with what its page promises, and with nothing else', async () => {
  const { mock, send } = setUp();
  const webhookUrl = 'https://app.example/cb';
  const started = await send(routes.generateContent, { prompt: '[[say: Hi]]', webhookUrl });
  expect(started).toMatchObject({ status: 202, type: 'application/json' });
  expect(started.body).toEqual({ status: 'processing', requestId: expect.any(String) });
  const bodies: unknown[] = [];
  mock.receivers.set(webhookUrl, async (request) => {
    bodies.push(await request.json());
    return new Response();
  });
  await mock.settle();
  const { requestId } = started.body;
  const result = { requestId, result: 'Hi', model: 'content-1' };
  expect(bodies).toEqual([{ ...result, usage: { totalTokens: expect.any(Number) } }]);
  for (const route of [routes.createApiKey, routes.createApiKeyAlias])
    expect((await send(route)).body).toEqual({ key: expect.stringMatching(/^cg_/) });
  const hook = { event: 'usage_threshold', url: 'https://app.example/events' };
  expect((await send(routes.createWebhook, hook)).body).toMatchObject(hook);
});

test.each(['stream', 'model', 'seed', 'maxTokens', 'temperature', 'metadata'])(
  'given-only takes no %s, and says nothing about it',
  async (field) => {
    const { send } = setUp();
    const refused = await send(routes.generateContent, { prompt: 'p', [field]: true });
    expect(refused).toMatchObject({ status: 422, text: '' });
  },
);

test('given-only refuses a wrong key with an empty 401', async () => {
  const { send } = setUp();
  expect(await send(routes.createApiKey, {}, 'no')).toMatchObject({ status: 401, text: '' });
});

test('the pointers of a 422 from a service come back in our names', async () => {
  const deployment = defineDeployment({
    fields: { prompt: 'input.text', maxTokens: 'max_tokens' },
    webhookUrlField: 'callback/url',
  });
  const pointers = ['/input/text', '/max_tokens', '/callback~1url', '/other'];
  const errors = pointers.map((pointer) => ({ pointer, code: 'wrong', message: 'is wrong' }));
  const problem = {
    type: 'about:blank',
    title: 'No',
    status: 422,
    code: 'validation_failed',
    errors,
  };
  const headers = { 'content-type': 'application/problem+json' };
  const fetch = async () => new Response(JSON.stringify(problem), { status: 422, headers });
  const baseUrl = 'https://api.example.com';
  const client = new ContentGen({ baseUrl, apiKey: 'k', fetch, deployment, logLevel: 'off' });
  const { error } = await client.content.generate({ prompt: 'p' }).safe();
  expect(error).toBeInstanceOf(ValidationError);
  expect((error as ValidationError).errors?.map(({ pointer }) => pointer)).toEqual([
    ...['/prompt', '/maxTokens', '/webhookUrl', '/other'],
  ]);
});
