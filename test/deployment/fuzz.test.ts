import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMockServer } from '../../mock-server/index.ts';
import { type DeploymentJson, defineDeployment } from '../../src/deployment/index.ts';
import { bodies, callbacks, payloads, schemas } from '../../src/generated/names.ts';
import { routes } from '../../src/generated/routes.ts';
import { ContentGen } from '../../src/index.ts';
import { createWebhookHandler } from '../../src/webhooks/index.ts';
import { problemsOf } from './contract.ts';

const numRuns = Number(process.env['CONTENTGEN_FUZZ'] ?? 40);
const hostile = ['__proto__', 'constructor', 'prototype.toString', 'a.__proto__', '\n__proto__'];
const word = fc.stringMatching(/^[a-z]{2}[_-][a-z]{3,6}$/);
const name = fc.oneof(
  { arbitrary: word, weight: 60 },
  { arbitrary: fc.stringMatching(/^[a-z]{2}_[a-z]\.[a-z]{1,3}$/), weight: 20 },
  { arbitrary: fc.constantFrom('id', 'job_id', 'toString', 'hasOwnProperty'), weight: 8 },
  { arbitrary: fc.constantFrom('data', 'status', ...hostile), weight: 1 },
);
const record = (keys: readonly string[], maxKeys = 4) =>
  fc.dictionary(fc.constantFrom(...keys), name, { maxKeys, noNullPrototype: true });
const header = fc.oneof(
  { arbitrary: fc.stringMatching(/^X-[A-Z][a-z]{2,6}$/), weight: 20 },
  { arbitrary: fc.constantFrom('Authorization', 'X-Api-Key', 'two words', '__proto__'), weight: 1 },
);

/** Every property of every schema, in all of them and in one. */
const fields = Object.entries(schemas).flatMap(([schema, { fields }]) =>
  Object.keys(fields).flatMap((field) => [field, `${schema}.${field}`]),
);
const nested = ['usage.totalTokens', 'usage.promptTokens', 'Generation.usage.totalTokens'];
const operations = Object.keys(routes) as (keyof typeof routes)[];
const path = (operation: keyof typeof routes) => {
  const [placeholder = ''] = /\{\w+\}/.exec(routes[operation]) ?? [];
  const end = placeholder && `/${placeholder}`;
  return fc
    .oneof(
      { arbitrary: fc.stringMatching(/^\/v[1-9]\/[a-z]{3,8}:[a-z]{2,4}$/), weight: 9 },
      { arbitrary: fc.constantFrom('/api/webhooks', '/a/../b', '/a?b', '/__proto__'), weight: 1 },
    )
    .map((start) => start + end);
};
const paths = fc
  .uniqueArray(fc.constantFrom(...operations), { maxLength: 4 })
  .chain((some) =>
    fc.record(Object.fromEntries(some.map((one) => [one, path(one)])), { noNullPrototype: true }),
  );
/** What the calls below do without. */
const dispensable = [
  ...operations.flatMap((operation) => [
    operation,
    ...Object.keys(schemas[bodies[operation].request ?? '']?.fields ?? {})
      .filter((field) => !/^(prompt|webhookUrl|event|url)$/.test(field))
      .map((field) => `${operation}.${field}`),
  ]),
  ...['stream', 'ApiKey.hint', 'Generation.createdAt', 'Generation.usage.promptTokens'],
  ...['Webhook.hasToken', 'Usage.periodStart', 'GenerationCompletedCallback.createdAt'],
];
const scheme = fc.oneof(
  fc.constant({ type: 'standard' }),
  fc.record(
    { type: fc.constant('token'), header, prefix: fc.constantFrom('Bearer ', 'token=', '') },
    { requiredKeys: ['type'], noNullPrototype: true },
  ),
  fc.record(
    {
      type: fc.constant('hmac'),
      algorithm: fc.constantFrom('sha1', 'sha256', 'sha512'),
      encoding: fc.constantFrom('hex', 'base64', 'base64url'),
      header,
      signs: fc.constantFrom(
        ...['{body}', '{timestamp}.{body}', '{body}{timestamp}', 'v0:{timestamp}:{body}'],
        ...['{id}.{timestamp}.{body}', '{id}.{body}', '{timestamp}'],
      ),
      format: fc.constantFrom(
        ...['{signature}', 'sha256={signature}', 't={timestamp},v1={signature}'],
        ...['t={timestamp};s={signature}', '{timestamp}{signature}'],
      ),
      timestampHeader: header,
      timestampUnit: fc.constantFrom('s', 'ms'),
      idHeader: header,
    },
    { requiredKeys: ['type'], noNullPrototype: true },
  ),
);
const errorPath = fc.oneof(name, fc.constantFrom('errors.0.code', 'errors.0.message'));
const deployments = fc.record(
  {
    baseUrl: fc.constantFrom('https://api.example.com', 'https://api.example.com/v2', 'localhost'),
    fields: record([...fields, ...nested]),
    wrap: word,
    webhookUrlField: name,
    statuses: record(['processing', 'completed', 'failed', 'canceled']),
    eventNames: record([...Object.keys(payloads), ...Object.keys(callbacks)]),
    errors: fc.oneof(
      fc.constant(false),
      fc.record({ code: errorPath, message: errorPath }, { requiredKeys: [] }),
    ),
    absent: fc.uniqueArray(fc.constantFrom(...dispensable), { maxLength: 4 }),
    idempotency: fc.oneof(fc.constant(false), header),
    accessTokenHeader: header,
    tokenHeader: header,
    secretEncoding: fc.constantFrom('whsec', 'utf8', 'hex', 'base64'),
    paths,
    scheme,
  },
  { requiredKeys: [], noNullPrototype: true },
);

test(
  'mock and client with the same random file understand each other, its contract is valid, and no file changes anything else',
  async () => {
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
        /** Calls an operation. One that is absent is never sent. */
        const call = async <T>(
          operation: string,
          work: () => Promise<T>,
          check: (value: T) => void,
        ) => {
          if (deployment.has(operation)) return check(await work());
          await expect(work()).rejects.toMatchObject({ code: 'operation_absent' });
        };
        const { content, apiKeys, webhooks, usage } = client;
        const prompt = '[[say: Hi]]';
        await call(
          'generateContent',
          () => content.generate({ prompt }),
          (done) =>
            expect(done).toMatchObject({ status: 'completed', result: 'Hi', model: 'content-1' }),
        );
        await call(
          'generateContent',
          () => content.stream({ prompt }).final(),
          ({ result }) => expect(result).toBe('Hi'),
        );
        await call(
          'createApiKey',
          () => apiKeys.create(),
          ({ key }) => expect(key).toMatch(/^cg_/),
        );
        if (deployment.has('generateContent'))
          await call(
            'listGenerations',
            () => content.list({ status: 'completed' }),
            ({ data }) => expect(data[0]?.requestId).toMatch(/^gen_/),
          );
        await call(
          'getUsage',
          () => usage.get(),
          ({ quota }) => expect(quota).toBe(1_000_000),
        );
        const hook = { event: 'invoice_paid', url: 'https://app.example/hook' } as const;
        await call(
          'createWebhook',
          () => webhooks.create(hook),
          (made) => expect(made).toMatchObject(hook),
        );
        const wrong = await client.withOptions({ apiKey: 'no' }).apiKeys.list().safe();
        expect(wrong.error).toMatchObject(
          deployment.has('listApiKeys') ? { status: 401 } : { code: 'operation_absent' },
        );
        const types: string[] = [];
        const handler = createWebhookHandler({
          ...{ deployment, secret, now: mock.clock.now },
          logger: { warn() {}, error() {}, diagnose: false },
          onOther: ({ type, payload }) =>
            void types.push(`${type} ${(payload as { result?: string }).result}`),
        });
        mock.receivers.set('https://app.example/cb', handler);
        const webhookUrl = 'https://app.example/cb';
        if (deployment.has('generateContent')) {
          await content.start({ prompt, webhookUrl });
          await mock.settle();
          expect(types).toEqual(['generation_completed Hi']);
        }
        // Compiling all schemas takes most of the time.
        if (accepted % Math.max(10, numRuns / 100) === 1) {
          const served = await mock.fetch(new Request(new URL('/openapi.yaml', baseUrl)));
          expect(problemsOf(parse(await served.text()))).toEqual([]);
        }
        await mock.close();
      }),
      { numRuns, seed: 7 },
    );
    expect(accepted).toBeGreaterThan(numRuns / 10);
    expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before);
  },
  60_000 + numRuns * 300,
);
