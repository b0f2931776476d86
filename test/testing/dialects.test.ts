import { describe, expect, onTestFinished, test } from 'vitest';
import { defineDeployment } from '../../src/deployment/index.ts';
import { ContentGen } from '../../src/index.ts';
import { createWebhookHandler, type WebhookEvent } from '../../src/webhooks/index.ts';
import { examine, receiveAt } from '../support/dialects/examine.ts';
import { dialects } from '../support/dialects/index.ts';
import { postCallback, random, serve } from '../support/dialects/service.ts';

type Name = keyof typeof dialects;

const ofItems = [
  ...['getApiKey', 'regenerateApiKey', 'revokeApiKey', 'getWebhook', 'listDeliveries'],
  ...['testWebhook', 'updateWebhook', 'redeliverFailed', 'rotateWebhookSecret'],
];
const ofRequests = ['model', 'maxTokens', 'temperature', 'seed', 'metadata'].map(
  (field) => `generateContent.${field}`,
);
const ofKeys = ['getApiKey', 'regenerateApiKey', 'revokeApiKey'];

/** What a reader of each dialect's code would write into its file, and what it does not have. */
const files: Record<Name, { lines: object; absent: readonly string[] }> = {
  snakeCase: {
    lines: {
      fields: {
        requestId: 'request_id',
        'usage.totalTokens': 'usage.total_tokens',
        createdAt: 'created_at',
        data: 'items',
        nextCursor: 'next_cursor',
      },
      webhookUrlField: 'webhook_url',
      scheme: { type: 'hmac', format: 'sha256={signature}' },
      secretEncoding: 'utf8',
      errors: { code: 'error_code', message: 'error_message' },
      idempotency: false,
    },
    absent: ['listGenerations', 'getGeneration', 'cancelGeneration', 'getUsage', ...ofItems],
  },
  dataWrapper: {
    lines: {
      wrap: 'data',
      statuses: { processing: 'QUEUED', completed: 'DONE' },
      fields: { data: 'items' },
      scheme: { type: 'hmac', encoding: 'base64' },
      secretEncoding: 'utf8',
      errors: { code: 'error.code', message: 'error.message' },
      idempotency: false,
    },
    absent: ['cancelGeneration', 'getUsage', 'listWebhooks', 'createWebhook', ...ofKeys],
  },
  stripeSigned: {
    lines: {
      scheme: {
        ...{ type: 'hmac', signs: '{timestamp}.{body}' },
        format: 't={timestamp},v1={signature}',
      },
      secretEncoding: 'utf8',
      errors: { code: 'error.type', message: 'error.message' },
      idempotency: false,
    },
    absent: [
      ...['listGenerations', 'getGeneration', 'cancelGeneration', 'getUsage', 'listApiKeys'],
      ...['listWebhooks', 'deleteWebhook', ...ofItems],
    ],
  },
  numbered: {
    lines: {
      paths: { createApiKey: '/api-keys/generate' },
      fields: { data: 'items' },
      scheme: { type: 'token', header: 'x-webhook-token' },
      errors: { message: 'message' },
      idempotency: false,
    },
    absent: [
      ...['listGenerations', 'getGeneration', 'cancelGeneration', 'getUsage', 'listApiKeys'],
      ...ofItems,
    ],
  },
  rateLimited: {
    lines: {
      paths: {
        generateContent: '/v1/ai/content/generate',
        createApiKey: '/v1/auth/api-keys',
        createWebhook: '/v1/webhooks',
        getUsage: '/v1/usage',
      },
      scheme: {
        ...{ type: 'hmac', signs: '{timestamp}.{body}' },
        ...{ timestampHeader: 'x-service-timestamp', timestampUnit: 'ms' },
      },
      secretEncoding: 'utf8',
      errors: { code: 'code', message: 'detail' },
      idempotency: false,
    },
    absent: [
      ...['listGenerations', 'getGeneration', 'cancelGeneration', 'listApiKeys', 'listWebhooks'],
      ...['deleteWebhook', ...ofItems],
    ],
  },
  htmlErrors: {
    lines: {
      fields: { requestId: 'job_id', result: 'output', 'ApiKey.id': 'key_id', key: 'api_key' },
      webhookUrlField: 'callbackUrl',
      scheme: { type: 'hmac', algorithm: 'sha512', header: 'x-signature' },
      secretEncoding: 'utf8',
      errors: false,
      idempotency: false,
    },
    absent: [
      ...['listGenerations', 'getGeneration', 'cancelGeneration', 'getUsage', 'listApiKeys'],
      ...['listWebhooks', 'createWebhook', ...ofKeys],
    ],
  },
  kebabCase: {
    lines: {
      paths: {
        generateContent: '/api/v3/ai/content/generate',
        getGeneration: '/api/v3/ai/content/generate/{requestId}',
        createApiKey: '/api/v3/auth/api-keys',
        createWebhook: '/api/v3/webhooks',
        deleteWebhook: '/api/v3/webhooks/{id}',
      },
      fields: {
        requestId: 'request-id',
        'usage.totalTokens': 'usage.total-tokens',
        'ApiKey.id': 'key-id',
        key: 'api-key',
        'Webhook.id': 'webhook-id',
      },
      webhookUrlField: 'webhook-url',
      scheme: { type: 'hmac', encoding: 'base64', header: 'x-request-signature' },
      secretEncoding: 'utf8',
      errors: { code: 'errors.0.code', message: 'errors.0.message' },
      idempotency: false,
    },
    absent: [
      ...['listGenerations', 'cancelGeneration', 'getUsage', 'listApiKeys', 'listWebhooks'],
      ...[...ofItems, ...ofRequests],
    ],
  },
};
const ofAll = ['getSigningSecret', 'listCallbackDeliveries', 'stream'];

const start = (name: Name, more = {}) =>
  dialects[name](
    name === 'rateLimited' ? { generationMs: 200, callsPerSecond: 25, ...more } : more,
  );

describe.each(Object.keys(dialects) as Name[])('a service of the dialect %s', (name) => {
  const { lines, absent } = files[name];
  const file = { ...lines, absent: [...absent, ...ofAll] };
  const ordered = ({ absent, ...others }: { absent?: unknown }) => ({
    ...others,
    absent: [absent ?? []].flat().sort(),
  });

  test('every line of its file is found, none is invented, and the file is proven', async () => {
    const report = await examine(await start(name));
    expect(report.problem).toBeUndefined();
    expect(ordered(report.deployment)).toEqual(ordered(file));
    expect(report.lines.filter(({ confirm }) => confirm)).toEqual([]);
    expect(report.proof.filter(({ ok }) => ok === false)).toEqual([]);
    const worked = report.proof.filter(({ ok }) => ok).map(({ what }) => what.split(':')[0]);
    expect(worked).toEqual(expect.arrayContaining(['a call with a callback', 'a callback']));
  });

  test('with its file, nothing differs any more', async () => {
    const report = await examine(await start(name), { deployment: file });
    expect(report.lines).toEqual([]);
    expect(report.deployment).toEqual(file);
  });

  test('with its file, a first call and a first webhook work', async () => {
    const service = await start(name);
    onTestFinished(() => service.close());
    const deployment = defineDeployment(file);
    const isToken = deployment.json.scheme?.type === 'token';
    const events: WebhookEvent[] = [];
    const handler = createWebhookHandler({
      deployment,
      ...(isToken ? { token: service.secret } : { secret: service.secret }),
      on: { generation_completed: (event) => void events.push(event) },
    });
    const webhookUrl = await receiveAt(handler);
    const { baseUrl, apiKey } = service;
    const client = new ContentGen({
      ...{ baseUrl, deployment, logLevel: 'off' },
      ...(name === 'htmlErrors' ? { accessToken: apiKey } : { apiKey }),
    });
    if (name !== 'stripeSigned') {
      const done = await client.content.generate({ prompt: 'Tides' });
      expect(done).toMatchObject({
        requestId: expect.any(String),
        result: expect.any(String),
        model: expect.any(String),
        usage: { totalTokens: expect.any(Number) },
      });
    }
    const job = await client.content.start({ prompt: 'Tides', webhookUrl });
    const { result } = await job.wait({ results: handler, deadline: 10_000, pollInterval: false });
    expect(result).toEqual(expect.any(String));
    expect(events).toMatchObject([{ payload: { requestId: job.requestId, result } }]);
  });
});

test('a callback with its secret as a Bearer token is proven too', async () => {
  const [apiKey, secret] = [random('k-'), random('s-', 20)];
  const service = await serve({ apiKey, secret }, ({ path, body, headers }) => {
    if (headers['x-api-key'] !== apiKey) return { status: 401 };
    if (path !== '/api/ai/content/generate') return { status: 404 };
    const requestId = random('r-');
    const result = { requestId, result: 'Hi', model: 'm', usage: { totalTokens: 1 } };
    const url = body?.['webhookUrl'];
    if (url === undefined) return { status: 200, body: result };
    const authorization = `Bearer ${secret}`;
    setTimeout(() => postCallback(`${url}`, result, () => ({ authorization })), 20);
    return { status: 202, body: { status: 'processing', requestId } };
  });
  const { deployment, proof } = await examine(service);
  const scheme = { type: 'token', header: 'authorization', prefix: 'Bearer ' };
  expect(deployment['scheme']).toEqual(scheme);
  expect(proof.find(({ what }) => what.startsWith('a callback:'))?.ok).toBe(true);
});
