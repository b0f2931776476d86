import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createMockServer } from '../../mock-server/index.ts';
import { defineDeployment } from '../../src/deployment/index.ts';
import { ContentGen, type Deployment, type DeploymentJson } from '../../src/index.ts';
import type { ConformanceReport } from '../../src/testing/index.ts';
import { createWebhookHandler, type WebhookEvent } from '../../src/webhooks/index.ts';
import { givenOnlyFiles } from '../support/dialects/files.ts';
import { examineMock } from '../testing/conform-world.ts';
import { type Deviation, deviating } from './deviating.ts';

afterEach(() => void vi.restoreAllMocks());

/** Most of what a smallest service lacks shows in no request that is made without its file. */
const found = expect.any(Object);
const servers: readonly (readonly [string, Deviation])[] = [
  ...Object.entries(deviating),
  ['given only', { deployment: givenOnlyFiles.plain, found }],
  ['given only, mixed', { deployment: givenOnlyFiles.mixed, found }],
];

describe.each(servers)('with the file that conform saves: %s', (_, server) => {
  const { byHand = {}, found = server.deployment } = server;
  const has = (operation: string) => !server.deployment.absent?.includes(operation);
  let deployment: Deployment;
  let report: ConformanceReport;
  beforeAll(async () => {
    ({ report } = await examineMock({ deployment: defineDeployment(server.deployment) }));
    const saved: DeploymentJson = JSON.parse(JSON.stringify(report.deployment));
    const both = (name: 'statuses' | 'eventNames') =>
      byHand[name] && { [name]: { ...byHand[name], ...saved[name] } };
    deployment = defineDeployment({
      ...byHand,
      ...saved,
      ...both('statuses'),
      ...both('eventNames'),
    });
  });

  function start() {
    const own = defineDeployment(server.deployment);
    const mock = createMockServer({ deployment: own, clock: 'manual', seed: 1 });
    const { baseUrl, fetch, adminKey: apiKey } = mock;
    const client = new ContentGen({ baseUrl, apiKey, fetch, deployment, maxRetries: 1 });
    const events: WebhookEvent[] = [];
    const receive = (secret: string) =>
      createWebhookHandler({
        ...{ deployment, secret, now: mock.clock.now, logger: { ...console, diagnose: false } },
        on: {
          generation_completed: (event) => void events.push(event),
          generation_failed: (event) => void events.push(event),
          invoice_paid: (event) => void events.push(event),
        },
      });
    return { mock, client, events, receive };
  }

  test('conform finds what differs, and nothing else', () => {
    expect(report.deployment).toEqual(found);
    expect(report.proof.filter(({ ok }) => ok === false)).toEqual([]);
    expect(report.left.length > 0).toBe(!has('revokeApiKey'));
  });
  // Otherwise client and server have the same file, which the fuzz test tries with any.
  if (!server.found) return;

  test('a callback is handled once, and a forged one is rejected', async () => {
    const { client, mock, events, receive } = start();
    const webhookUrl = 'https://app.example/cb';
    mock.receivers.set(webhookUrl, receive(mock.signingSecret));
    mock.faults.add({ delivery: '*', times: 1, effect: { badSignature: true } });
    mock.faults.add({ delivery: '*', times: 1, effect: { loseAnswer: true } });
    const { requestId } = await client.content.start({ prompt: '[[say: Hi]]', webhookUrl });
    const failing = await client.content.start({ prompt: '[[fail: no]]', webhookUrl });
    await mock.clock.advance('1 hour');
    const statuses = mock.deliveries().map(({ attempts }) => attempts.map((one) => one.status));
    expect(statuses).toEqual(
      expect.arrayContaining([
        [400, 200],
        [undefined, 200],
      ]),
    );
    expect(events.map(({ type, payload }) => ({ type, ...payload }))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'generation_completed', requestId, result: 'Hi' }),
        expect.objectContaining({
          ...{ type: 'generation_failed', status: 'failed' },
          requestId: failing.requestId,
        }),
      ]),
    );
    expect(events).toHaveLength(2);
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
    // Retries without a wait.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    mock.faults.add({ operation: 'generateContent', times: 1, effect: { loseAnswer: true } });
    const { ok } = await client.content.generate({ prompt: 'Hi' }).safe();
    expect(ok).toBe(deployment.idempotencyHeader !== undefined);
    expect(mock.events().filter(({ type }) => type === 'generation.completed')).toHaveLength(1);
  });
});

test('an absent operation is 404, whatever the credential may do', async () => {
  const mock = createMockServer({ deployment: defineDeployment({ absent: ['getUsage'] }) });
  const response = await mock.fetch(`${mock.baseUrl}/api/usage`, {
    headers: { 'x-api-key': mock.adminKey },
  });
  expect(response.status).toBe(404);
});

test("an error points at the deployment's own names", async () => {
  const mock = createMockServer({
    deployment: defineDeployment({ fields: { prompt: 'input.text' } }),
  });
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
  const deployment = defineDeployment({
    baseUrl: 'https://file.example',
    webhookUrlField: 'callback',
  });
  expect(createMockServer({ deployment }).baseUrl).toBe('https://file.example');
  const baseUrl = 'https://own.example';
  expect(createMockServer({ deployment, baseUrl }).baseUrl).toBe(baseUrl);
});
