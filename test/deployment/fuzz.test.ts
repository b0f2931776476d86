import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMockServer } from '../../mock-server/index.ts';
import { type DeploymentJson, defineDeployment } from '../../src/deployment/index.ts';
import { ContentGen } from '../../src/index.ts';
import { createWebhookHandler } from '../../src/webhooks/index.ts';
import { problemsOf } from './contract.ts';

const numRuns = Number(process.env['CONTENTGEN_FUZZ'] ?? 200);
const hostile = ['__proto__', 'constructor', 'prototype.toString', 'a.__proto__', '\n__proto__'];
const word = fc.stringMatching(/^[a-z]{2}_[a-z]{3,6}$/);
const name = fc.oneof(
  { arbitrary: word, weight: 40 },
  { arbitrary: fc.stringMatching(/^[a-z]{2}_[a-z]\.[a-z]{1,3}$/), weight: 20 },
  { arbitrary: fc.constantFrom('id', 'job_id', 'toString', 'hasOwnProperty'), weight: 10 },
  { arbitrary: fc.constantFrom('data', 'status', ...hostile), weight: 1 },
);
const fields = [
  ...['requestId', 'result', 'model', 'usage', 'usage.totalTokens', 'status', 'prompt', 'key'],
  ...['id', 'event', 'organization', 'data', 'nextCursor', 'createdAt', 'webhookUrl', 'secret'],
  ...['ApiKey.id', 'Webhook.id', 'Generation.model', 'InvoicePaidEvent.event', 'invoice.id'],
];
const record = (keys: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...keys), name, { maxKeys: 5, noNullPrototype: true });
const optional = ['getUsage', 'stream', 'getGeneration', 'generateContent.model', 'ApiKey.hint'];
const deployments = fc.record(
  {
    fields: record(fields),
    wrap: word,
    webhookUrlField: name,
    statuses: record(['processing', 'completed', 'failed', 'canceled']),
    eventNames: record(['usage_threshold', 'invoice_paid', 'generation_completed']),
    errors: fc.oneof(fc.constant(false), fc.record({ code: name, message: name })),
    absent: fc.uniqueArray(fc.constantFrom(...optional), { maxLength: 3 }),
    idempotency: fc.constantFrom(false, 'X-Request-Key'),
    accessTokenHeader: fc.constantFrom('X-Token', 'Authorization'),
    tokenHeader: fc.constantFrom('X-Hook-Token', 'Authorization'),
    secretEncoding: fc.constantFrom('whsec', 'utf8', 'hex', 'base64'),
    paths: fc.record(
      {
        generateContent: fc.constantFrom('/v1/generate:run', '/api/webhooks'),
        getGeneration: fc.constantFrom('/v1/g/{requestId}:get', '/v1/{requestId}'),
        createApiKey: fc.constantFrom('/k/new', '/v1/generate:key'),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    scheme: fc.oneof(
      fc.record({ type: fc.constantFrom('standard', 'token') }),
      fc.record({
        type: fc.constant('hmac'),
        algorithm: fc.constantFrom('sha1', 'sha256', 'sha512'),
        encoding: fc.constantFrom('hex', 'base64', 'base64url'),
        signs: fc.constantFrom('{timestamp}.{body}', '{body}{timestamp}', 'v0:{timestamp}:{body}'),
        format: fc.constantFrom('t={timestamp},v1={signature}', 't={timestamp};s={signature}'),
        timestampUnit: fc.constantFrom('s', 'ms'),
      }),
      fc.record({
        type: fc.constant('hmac'),
        signs: fc.constant('{id}.{timestamp}.{body}'),
        format: fc.constantFrom('{signature}', 'sha256={signature}'),
        timestampHeader: fc.constant('X-Time'),
        idHeader: fc.constant('X-Id'),
      }),
    ),
  },
  { requiredKeys: [], noNullPrototype: true },
);

test('mock and client with the same random file understand each other, its contract is valid, and no file changes anything else', async () => {
  const before = Object.getOwnPropertyNames(Object.prototype).join();
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(deployments, async (json) => {
      let deployment: ReturnType<typeof defineDeployment>;
      try {
        deployment = defineDeployment(json as DeploymentJson);
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
        expect(JSON.stringify(json)).not.toBe('{}');
        return;
      }
      accepted += 1;
      const mock = createMockServer({ deployment, clock: 'manual', seed: 1 });
      const { baseUrl, fetch, adminKey: apiKey, signingSecret: secret } = mock;
      const client = new ContentGen({ baseUrl, fetch, apiKey, deployment, maxRetries: 0 });
      const done = await client.content.generate({ prompt: '[[say: Hi]]' });
      expect(done).toMatchObject({ status: 'completed', result: 'Hi', model: 'content-1' });
      expect((await client.content.stream({ prompt: '[[say: Hi]]' }).final()).result).toBe('Hi');
      expect((await client.apiKeys.create()).key).toMatch(/^cg_/);
      const page = await client.content.list({ status: 'completed' });
      expect(page.data[0]?.requestId).toMatch(/^gen_/);
      const wrong = await client.withOptions({ apiKey: 'no' }).content.list().safe();
      expect(wrong.error).toMatchObject({ status: 401 });
      const types: string[] = [];
      const handler = createWebhookHandler({
        ...{ deployment, secret, now: mock.clock.now },
        logger: { warn() {}, error() {}, diagnose: false },
        onOther: ({ type, payload }) =>
          void types.push(`${type} ${(payload as { result?: string }).result}`),
      });
      mock.receivers.set('https://app.example/cb', handler);
      const webhookUrl = 'https://app.example/cb';
      await client.content.start({ prompt: '[[say: Hi]]', webhookUrl });
      await mock.settle();
      expect(types).toEqual(['generation_completed Hi']);
      // Compiling all schemas takes most of the time.
      if (accepted % 10 === 1) {
        const served = await mock.fetch(new Request(`${mock.baseUrl}/openapi.yaml`));
        expect(problemsOf(parse(await served.text()))).toEqual([]);
      }
      await mock.close();
    }),
    { numRuns, seed: 7 },
  );
  expect(accepted).toBeGreaterThan(numRuns / 5);
  expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before);
}, 600_000);
