import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createMockServer } from '../../../mock-server/index.ts';
import { defineDeployment } from '../../../src/deployment/index.ts';
import { ContentGen } from '../../../src/index.ts';
import { createWebhookHandler } from '../../../src/webhooks/index.ts';
import { bodyDeployment, bodyHmac } from '../../support/body-hmac.ts';

test('everything works in a deployment that differs wherever the specification leaves a choice', async () => {
  const scheme = bodyHmac({
    algorithm: 'sha512',
    encoding: 'hex',
    prefix: 'sha512=',
    header: 'X-Sig',
  });
  const eventNames = { data_updated: 'data.updated', invoice_paid: 'invoice.paid' };
  const tokenHeader = 'X-Hook-Token';
  const deployment = defineDeployment({
    paths: { createApiKey: '/api-keys/generate', generateContent: '/api/ai/text' },
    webhookUrlField: 'callback_url',
    accessTokenHeader: 'X-Access-Token',
    tokenHeader,
    eventNames,
  });
  const mock = createMockServer({
    baseUrl: 'https://api.example.com/v2',
    clock: 'manual',
    seed: 1,
    deployment,
    scheme,
  });

  const accessToken = await mock.issueToken({ role: 'admin' });
  const client = new ContentGen({
    baseUrl: mock.baseUrl,
    accessToken,
    fetch: mock.fetch,
    deployment,
  });
  const { key } = await client.apiKeys.create({ name: 'ci' });
  expect(key).toMatch(/^cg_test_/);

  const seen: string[] = [];
  const token = 'token-of-the-registration';
  const receive = (secret: string) =>
    createWebhookHandler({
      secret,
      scheme,
      deployment,
      now: mock.clock.now,
      on: {
        generation_completed: (event) => void seen.push(`completed ${event.payload.requestId}`),
        data_updated: (event) => void seen.push(`data ${event.payload.records}`),
      },
    });
  mock.receivers.set('https://app.example/cb', receive(mock.signingSecret));
  const hook = await client.webhooks.create({
    event: 'data_updated',
    url: 'https://app.example/hooks',
    token,
  });
  mock.receivers.set('https://app.example/hooks', async (request) => {
    expect(request.headers.get(tokenHeader)).toBe(token);
    expect(request.headers.get('x-sig')).toMatch(/^sha512=[0-9a-f]{128}$/);
    return receive(hook.secret)(request);
  });

  const job = await client.content.generate({
    prompt: 'A haiku about TCP',
    webhookUrl: 'https://app.example/cb',
  });
  mock.trigger('data_updated', { records: 7 });
  await mock.settle();
  expect(seen.sort()).toEqual([`completed ${job.requestId}`, 'data 7']);
  const update = mock.deliveries().find(({ event }) => event === 'data_updated');
  expect(JSON.parse(update?.body ?? '').event).toBe('data.updated');
  expect(mock.requests().map(({ path }) => path)).toEqual([
    '/v2/api-keys/generate',
    '/v2/api/webhooks',
    '/v2/api/ai/text',
  ]);
});

test('a deployment that signs only the body sends no id and no time, and a receiver of such deliveries handles each once', async () => {
  const deployment = bodyDeployment({ envelopeHeaders: false });
  const mock = createMockServer({ clock: 'manual', seed: 1, deployment });
  const sent: Headers[] = [];
  const seen: string[] = [];
  const receive = createWebhookHandler({
    secret: mock.signingSecret,
    deployment,
    on: { generation_completed: (event) => void seen.push(event.payload.result) },
  });
  mock.receivers.set('https://app.example/cb', (request) => {
    sent.push(request.headers);
    return receive(request);
  });
  mock.faults.add({ delivery: 'generation_completed', times: 1, effect: { duplicate: 2 } });
  const { baseUrl, adminKey: apiKey, fetch } = mock;
  await new ContentGen({ baseUrl, apiKey, fetch }).content.start({
    prompt: '[[say: once]]',
    webhookUrl: 'https://app.example/cb',
  });
  await mock.settle();
  const [{ status, body = '' } = {}] = mock.deliveries();
  const digest = createHmac('sha256', Buffer.from(mock.signingSecret.slice(6), 'base64'));
  const signature = digest.update(body).digest('hex');
  expect(sent.map((headers) => headers.get('x-service-signature'))).toEqual([
    signature,
    signature,
    signature,
  ]);
  expect(sent.flatMap((headers) => [...headers.keys()]).join()).not.toContain('webhook-');
  expect([status, seen]).toEqual(['delivered', ['once']]);
});

test("with its own callback field, a deployment rejects the contract's name, and pointers use its own name", async () => {
  const mock = createMockServer({
    clock: 'manual',
    deployment: defineDeployment({ webhookUrlField: 'callback' }),
  });
  const post = async (body: object) => {
    const response = await mock.fetch(`${mock.baseUrl}/api/ai/content/generate`, {
      method: 'POST',
      headers: { 'x-api-key': mock.memberKey, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'p', ...body }),
    });
    return response.json();
  };
  expect((await post({ webhookUrl: 'https://app.example/cb' })).errors).toMatchObject([
    { pointer: '/webhookUrl', code: 'unknown_field' },
  ]);
  expect((await post({ callback: 'ftp://app.example' })).errors).toMatchObject([
    { pointer: '/callback', code: 'insecure_url' },
  ]);
  const wrong = await post({ callback: 7 });
  expect(wrong.errors).toMatchObject([{ pointer: '/callback', code: 'invalid_type' }]);
  expect(JSON.stringify(wrong)).not.toContain('webhookUrl');
  expect((await post({ callback: 'https://app.example/cb' })).status).toBe('processing');
});

test("a registration can use the deployment's name of an event", async () => {
  const mock = createMockServer({
    clock: 'manual',
    deployment: defineDeployment({ eventNames: { invoice_paid: 'invoice.paid' } }),
  });
  const response = await mock.fetch(`${mock.baseUrl}/api/webhooks`, {
    method: 'POST',
    headers: { 'x-api-key': mock.adminKey, 'content-type': 'application/json' },
    body: JSON.stringify({ event: 'invoice.paid', url: 'https://app.example/hooks' }),
  });
  expect(await response.json()).toMatchObject({ event: 'invoice.paid' });
});

test("responses use only the deployment's name of the callback field", async () => {
  const mock = createMockServer({
    clock: 'manual',
    deployment: defineDeployment({ webhookUrlField: 'callback' }),
  });
  const headers = { 'x-api-key': mock.memberKey, 'content-type': 'application/json' };
  const url = `${mock.baseUrl}/api/ai/content/generate`;
  const callback = 'https://app.example/cb';
  const accepted = await mock.fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ prompt: 'p', callback }),
  });
  const { requestId } = await accepted.json();
  const got = await (await mock.fetch(`${url}/${requestId}`, { headers })).json();
  const { data } = await (await mock.fetch(url, { headers })).json();
  const canceled = await mock.fetch(`${url}/${requestId}/cancel`, {
    method: 'POST',
    headers: { 'x-api-key': mock.memberKey },
  });
  for (const generation of [got, data[0], await canceled.json()]) {
    expect(generation).toMatchObject({ requestId, callback });
    expect(generation).not.toHaveProperty('webhookUrl');
  }
});

test('the client reads the callback under one name, independent of the deployment', async () => {
  const deployment = defineDeployment({ webhookUrlField: 'callback' });
  const mock = createMockServer({ clock: 'manual', deployment });
  const { baseUrl, fetch, memberKey: apiKey } = mock;
  const client = new ContentGen({ baseUrl, fetch, apiKey, deployment });
  const webhookUrl = 'https://app.example/cb';
  const job = await client.content.generate({ prompt: 'p', webhookUrl });
  const { data } = await client.content.list();
  const [got, canceled] = [await client.content.get(job.requestId), await job.cancel()];
  for (const generation of [got, data[0], canceled]) {
    expect(generation).toMatchObject({ requestId: job.requestId, webhookUrl });
    expect(generation).not.toHaveProperty('callback');
  }
  const bare = await client.content.generate({ prompt: 'p' });
  expect(bare).not.toHaveProperty('webhookUrl');
});

test('a deployment can call the callback field `url` without changing registrations', async () => {
  const deployment = defineDeployment({ webhookUrlField: 'url' });
  const mock = createMockServer({ clock: 'manual', deployment });
  const { baseUrl, fetch, adminKey: apiKey } = mock;
  const client = new ContentGen({ baseUrl, fetch, apiKey, deployment });
  const url = 'https://app.example/hooks';
  const hook = await client.webhooks.create({ event: 'data_updated', url });
  expect(hook.url).toBe(url);
  expect((await client.webhooks.update(hook.id, { url: `${url}/2` })).url).toBe(`${url}/2`);
  const job = await client.content.generate({ prompt: 'p', webhookUrl: url });
  expect((await client.content.get(job.requestId)).webhookUrl).toBe(url);
  const rejected = await fetch(`${baseUrl}/api/webhooks`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ event: 'data_updated', url, webhookUrl: url }),
  });
  expect((await rejected.json()).errors).toMatchObject([{ pointer: '/webhookUrl' }]);
});
