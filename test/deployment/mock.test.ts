import { describe, expect, test } from 'vitest';
import { createMockServer } from '../../mock-server/index.ts';
import { ContentGen, type Deployment } from '../../src/index.ts';
import { createWebhookHandler, type WebhookEvent } from '../../src/webhooks/index.ts';
import { deployments } from '../support/given-only/deployments.ts';

/** Servers that differ in one to four fields. */
const differing: Readonly<Record<string, Deployment>> = {
  wrapped: { wrap: 'data' },
  'wrapped in payload': { wrap: 'payload', webhookUrlField: 'callback_url' },
  'key renamed': { fields: { key: 'apiKey' } },
  'key like another field': { fields: { key: 'secret', secret: 'key' } },
  'request id is id': { fields: { requestId: 'id' } },
  'deep names': { fields: { 'usage.totalTokens': 'tokens.total', result: 'output.text' } },
  'their words': { statuses: { completed: 'succeeded', failed: 'errored', processing: 'queued' } },
  'words and wrapper': {
    statuses: { completed: 'done' },
    wrap: 'data',
    fields: { status: 'state' },
  },
  'plain hex': { scheme: { type: 'plain-hmac' }, secretEncoding: 'utf8' },
  'plain base64': { scheme: { type: 'plain-hmac', encoding: 'base64' }, secretEncoding: 'base64' },
  'prefixed sha512': {
    scheme: { type: 'plain-hmac', algorithm: 'sha512', prefix: 'sha512=', header: 'X-Hub' },
    secretEncoding: 'hex',
  },
  'without envelope': { scheme: { type: 'plain-hmac', envelopeHeaders: false } },
  token: { scheme: { type: 'token', header: 'X-Callback-Token' } },
  'standard, text secrets': { secretEncoding: 'utf8' },
  'standard, hex secrets': { secretEncoding: 'hex', tokenHeader: 'X-Hook-Token' },
  'own paths': { paths: { createApiKey: '/api-keys/generate', generateContent: '/v1/generate' } },
  'own event names': {
    eventNames: { usage_threshold: 'usage.threshold', invoice_paid: 'invoice.paid' },
  },
  'own idempotency header': { idempotency: 'X-Request-Token', wrap: 'result' },
  'no idempotency': { idempotency: false, fields: { nextCursor: 'next' } },
  'token header': { accessTokenHeader: 'X-Token', webhookUrlField: 'url' },
  'given only': deployments.plain,
  'given only, mixed': deployments.mixed,
};

describe.each(Object.entries(differing))('a server that differs: %s', (_, deployment) => {
  const has = (operation: string) => !deployment.absent?.includes(operation);

  function start(more: object = {}) {
    const mock = createMockServer({ deployment, clock: 'manual', seed: 1, ...more });
    const { baseUrl, fetch, adminKey: apiKey } = mock;
    const client = new ContentGen({ baseUrl, apiKey, fetch, deployment, maxRetries: 1 });
    const events: WebhookEvent[] = [];
    const receive = (secret: string) =>
      createWebhookHandler({
        ...{ deployment, secret, now: mock.clock.now, diagnose: false },
        on: {
          generation_completed: (event) => void events.push(event),
          generation_failed: (event) => void events.push(event),
          usage_threshold: (event) => void events.push(event),
          invoice_paid: (event) => void events.push(event),
        },
      });
    return { mock, client, events, receive };
  }

  test('calls, lists and streams speak our names', async () => {
    const { client } = start();
    const done = await client.content.generate({ prompt: '[[say: Hi]]' });
    expect(done).toMatchObject({ status: 'completed', result: 'Hi', model: 'content-1' });
    expect(done.usage.totalTokens).toBeGreaterThan(0);
    const stream = client.content.stream({ prompt: '[[say: Hi]]' });
    expect((await stream.final()).result).toBe('Hi');
    if (!has('listGenerations')) return;
    const page = await client.content.list({ status: 'completed', limit: 1 });
    expect(page.data).toMatchObject([{ status: 'completed', result: 'Hi' }]);
    expect(page.nextCursor).toEqual(expect.any(String));
    const { requestId } = done;
    expect(await client.content.get(requestId)).toMatchObject({ requestId, status: 'completed' });
  });

  test('keys and registrations speak our names', async () => {
    const { client, mock } = start();
    const created = await client.apiKeys.create({ name: 'ci' });
    expect(created).toMatchObject({ id: expect.stringMatching(/^key_/), name: 'ci' });
    expect(created.key).toMatch(/^cg_test_/);
    const hook = await client.webhooks.create({
      event: 'invoice_paid',
      url: 'https://app.example/hooks',
      secret: mock.signingSecret,
    });
    expect(hook).toMatchObject({ id: expect.stringMatching(/^wh_/), event: 'invoice_paid' });
    expect(hook.secret).toBe(mock.signingSecret);
    if (!has('listWebhooks')) return;
    expect((await client.webhooks.list()).data).toMatchObject([{ id: hook.id }]);
    expect((await client.webhooks.getSigningSecret()).secret).toBe(mock.signingSecret);
  });

  test('a callback is verified and read, and a forged one is rejected', async () => {
    const { client, mock, events, receive } = start();
    const handler = receive(mock.signingSecret);
    const url = 'https://app.example/cb';
    mock.receivers.set(url, handler);
    mock.faults.add({ delivery: '*', times: 1, effect: { badSignature: true } });
    const job = await client.content.start({ prompt: '[[say: Hi]]', webhookUrl: url });
    const failing = await client.content.start({ prompt: '[[fail: no]]', webhookUrl: url });
    await mock.clock.advance('1 hour');
    expect(mock.deliveries().map(({ attempts }) => attempts.map(({ status }) => status))).toEqual(
      expect.arrayContaining([[400, 200], [200]]),
    );
    expect(events).toHaveLength(2);
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          type: 'generation_completed',
          payload: expect.objectContaining({ requestId: job.requestId, result: 'Hi' }),
        }),
        expect.objectContaining({
          type: 'generation_failed',
          payload: expect.objectContaining({ requestId: failing.requestId, status: 'failed' }),
        }),
      ]),
    );
  });

  test('an event arrives under our name', async () => {
    const { client, mock, events, receive } = start();
    const url = 'https://app.example/hooks';
    const { secret } = await client.webhooks.create({ event: 'invoice_paid', url });
    mock.receivers.set(url, receive(secret));
    await mock.trigger('invoice_paid');
    await mock.settle();
    expect(events).toMatchObject([{ type: 'invoice_paid', payload: { invoice: {} } }]);
  });

  test('a lost answer is billed once', async () => {
    const { client, mock } = start();
    mock.faults.add({ operation: 'generateContent', times: 1, effect: { loseAnswer: true } });
    const { ok } = await client.content.generate({ prompt: 'Hi' }).safe();
    expect(ok).toBe(deployment.idempotency !== false);
    expect(mock.events().filter(({ type }) => type === 'generation.completed')).toHaveLength(1);
  });
});

test('an absent operation is 404, whatever the credential may do', async () => {
  const mock = createMockServer({ deployment: { absent: ['getUsage'] } });
  const response = await mock.fetch(`${mock.baseUrl}/api/usage`, {
    headers: { 'x-api-key': mock.adminKey },
  });
  expect(response.status).toBe(404);
});

test("an error points at the deployment's own names", async () => {
  const mock = createMockServer({ deployment: { fields: { prompt: 'input.text' } } });
  const post = async (body: object) => {
    const response = await mock.fetch(`${mock.baseUrl}/api/ai/content/generate`, {
      method: 'POST',
      headers: { 'x-api-key': mock.memberKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()).errors;
  };
  expect(await post({ prompt: 'Hi' })).toMatchObject([
    { pointer: '/prompt', code: 'unknown_field' },
  ]);
  expect(await post({ input: { text: 7 } })).toMatchObject([
    { pointer: '/input/text', code: 'invalid_type' },
  ]);
});

test('an explicit option wins over the deployment', () => {
  const deployment = { baseUrl: 'https://file.example', webhookUrlField: 'callback' };
  expect(createMockServer({ deployment }).baseUrl).toBe('https://file.example');
  const baseUrl = 'https://own.example';
  expect(createMockServer({ deployment, baseUrl }).baseUrl).toBe(baseUrl);
  expect(createMockServer({ deployment, baseUrl }).createUniverse().baseUrl).toBe(
    'https://own.example/u/1',
  );
});

test('a universe can play another deployment', async () => {
  const mock = createMockServer({ deployment: { wrap: 'data', fields: { key: 'token' } } });
  const universe = mock.createUniverse({ deployment: { fields: { key: 'apiKey' } } });
  const { baseUrl, fetch, adminKey: apiKey } = universe;
  const client = new ContentGen({ baseUrl, apiKey, fetch });
  await expect(client.apiKeys.create()).rejects.toMatchObject({
    body: { apiKey: expect.stringMatching(/^cg_/) },
  });
});
