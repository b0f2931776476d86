import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createMockServer, type MockServerOptions } from '../../../mock-server/index.ts';
import { type DeploymentJson, defineDeployment } from '../../../src/deployment/index.ts';
import { ContentGen, type Deployment } from '../../../src/index.ts';
import { createWebhookHandler } from '../../../src/webhooks/index.ts';
import { bodyDeployment, bodyHmac } from '../../support/body-hmac.ts';
import { GENERATE } from './helpers.ts';

// What every kind of deployment file does to calls, streams, lists and callbacks: see test/deployment/mock.test.ts.

const callback = 'https://app.example/cb';
const hooks = 'https://app.example/hooks';

function setUp(deployment: Deployment, options: MockServerOptions = {}) {
  const mock = createMockServer({ clock: 'manual', seed: 1, deployment, ...options });
  const bodies: string[] = [];
  const fetch: typeof mock.fetch = async (...given) => {
    const response = await mock.fetch(...given);
    bodies.push(await response.clone().text());
    return response;
  };
  const client = new ContentGen({
    baseUrl: mock.baseUrl,
    apiKey: mock.adminKey,
    fetch,
    deployment,
  });
  const post = async (path: string, body: object) => {
    const headers = { 'x-api-key': mock.adminKey, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await mock.fetch(mock.baseUrl + path, init)).json();
  };
  return { mock, client, bodies, post };
}
const called = (webhookUrlField: string, more: DeploymentJson = {}) =>
  defineDeployment({ webhookUrlField, ...more });

test('a scheme of its own signs, and a token goes where the deployment says', async () => {
  const scheme = bodyHmac({ algorithm: 'sha512', prefix: 'sha512=', header: 'X-Sig' });
  const deployment = called('callback_url', { tokenHeader: 'X-Hook-Token' });
  const { mock, client } = setUp(deployment, { scheme });
  const sent: Headers[] = [];
  const seen: number[] = [];
  const token = 'token-of-the-registration';
  const { secret } = await client.webhooks.create({ event: 'data_updated', url: hooks, token });
  const receive = createWebhookHandler({
    ...{ secret, scheme, deployment, now: mock.clock.now },
    on: { data_updated: ({ payload }) => void seen.push(payload.records) },
  });
  mock.receivers.set(hooks, (request) => {
    sent.push(request.headers);
    return receive(request);
  });
  mock.trigger('data_updated', { records: 7 });
  await mock.settle();
  expect(seen).toEqual([7]);
  expect(sent[0]?.get('x-hook-token')).toBe(token);
  expect(sent[0]?.get('x-sig')).toMatch(/^sha512=[0-9a-f]{128}$/);
});

test('a deployment that signs only the body sends no id and no time, and a receiver of such deliveries handles each once', async () => {
  const deployment = bodyDeployment({ envelopeHeaders: false });
  const { mock, client } = setUp(deployment);
  const sent: Headers[] = [];
  const seen: string[] = [];
  const receive = createWebhookHandler({
    secret: mock.signingSecret,
    deployment,
    on: { generation_completed: (event) => void seen.push(event.payload.result) },
  });
  mock.receivers.set(callback, (request) => {
    sent.push(request.headers);
    return receive(request);
  });
  mock.faults.add({ delivery: 'generation_completed', times: 1, effect: { duplicate: 2 } });
  await client.content.start({ prompt: '[[say: once]]', webhookUrl: callback });
  await mock.settle();
  const [{ status, body = '' } = {}] = mock.deliveries();
  const digest = createHmac('sha256', Buffer.from(mock.signingSecret.slice(6), 'base64'));
  const signature = digest.update(body).digest('hex');
  expect(sent.map((headers) => headers.get('x-service-signature'))).toEqual(
    Array(3).fill(signature),
  );
  expect(sent.flatMap((headers) => [...headers.keys()]).join()).not.toContain('webhook-');
  expect([status, seen]).toEqual(['delivered', ['once']]);
});

test("with its own callback field, a deployment rejects the contract's name, and pointers use its own name", async () => {
  const { post } = setUp(called('callback'));
  for (const [body, pointer, code] of [
    [{ webhookUrl: callback }, '/webhookUrl', 'unknown_field'],
    [{ callback: 'ftp://app.example' }, '/callback', 'insecure_url'],
    [{ callback: 7 }, '/callback', 'invalid_type'],
  ] as const) {
    const { errors } = await post(GENERATE, { prompt: 'p', ...body });
    expect(errors).toMatchObject([{ pointer, code }]);
  }
  expect((await post(GENERATE, { prompt: 'p', callback })).status).toBe('processing');
});
