const { ContentGen } = require('contentgen');
const { createMockServer } = require('contentgen/mock');
const { serve } = require('contentgen/mock/http');
const { connectMock } = require('contentgen/mock/remote');
const { createTestRequest, sampleEvent } = require('contentgen/testing');
const { createWebhookHandler, verifyWebhook } = require('contentgen/webhooks');

const service = createMockServer({ deliveries: { allowPrivate: true } });
const { adminKey, signingSecret } = service;
let served;
let client;

beforeAll(async () => {
  served = await serve(service, { port: 0 });
  client = new ContentGen({ baseUrl: served.url, apiKey: adminKey });
});
afterAll(() => served.close());

test('this Jest cannot run import(), which is the default', async () => {
  await expect(import('node:path')).rejects.toThrow('experimental-vm-modules');
});

test('a generation in the background is polled until it completes', async () => {
  const job = await client.content.generate({
    prompt: 'Hi',
    webhookUrl: 'http://127.0.0.1:9/callbacks',
  });
  const { requestId } = await job.wait({ deadline: 20_000 });
  expect(requestId).toBe(job.requestId);
});

test('a stream is read to its end', async () => {
  const stream = client.content.stream({ prompt: 'Hi' });
  let text = '';
  for await (const chunk of stream) text += chunk;
  expect(text).not.toBe('');
});

test('client.http sends a typed request', async () => {
  const { data, response } = await client.http.GET('/api/usage');
  expect(response.status).toBe(200);
  expect(data.used).toBeGreaterThanOrEqual(0);
});

test('logLevel debug writes a line for the call', async () => {
  const lines = [];
  const log = (...line) => lines.push(line);
  const logger = { debug: log, info: log, warn: log, error: log };
  const talkative = new ContentGen({
    baseUrl: served.url,
    apiKey: adminKey,
    logger,
    logLevel: 'debug',
  });
  await talkative.usage.get();
  expect(lines.length).toBeGreaterThan(0);
});

test('a handler runs its callback for a signed delivery and rejects a forged one', async () => {
  const handled = [];
  const handler = createWebhookHandler({
    secret: signingSecret,
    on: { generation_completed: ({ id }) => handled.push(id) },
  });
  const event = sampleEvent('generation_completed');
  const signed = await createTestRequest(event, { secret: signingSecret });
  expect((await handler(signed)).status).toBe(200);
  expect(handled).toHaveLength(1);

  const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  const forged = await createTestRequest(event, { secret: other });
  expect((await handler(forged)).status).toBe(400);
  expect(handled).toHaveLength(1);
});

test('a forged delivery is diagnosed', async () => {
  const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  const request = await createTestRequest(sampleEvent('data_updated'), { secret: other });
  await expect(verifyWebhook({ request, secret: signingSecret })).rejects.toMatchObject({
    code: 'signature_mismatch',
  });
});

test('connectMock controls the server', async () => {
  const mock = connectMock(served.url);
  await mock.faults.add({
    operation: 'getUsage',
    times: 1,
    effect: { status: 503, retryAfter: 1 },
  });
  const { attempts } = await client.usage.get().withResponse();
  expect(attempts).toBe(2);
});
