import type { DeploymentJson } from '../../../src/deployment/index.ts';
import { routes } from '../../../src/generated/routes.ts';
import type { dialects, givenOnly } from './readings.ts';

const ofItems = [
  ...['getApiKey', 'regenerateApiKey', 'revokeApiKey', 'getWebhook', 'listDeliveries'],
  ...['testWebhook', 'updateWebhook', 'redeliverFailed', 'rotateWebhookSecret'],
];
const ofRequests = ['model', 'maxTokens', 'temperature', 'seed', 'metadata'].map(
  (field) => `generateContent.${field}`,
);
const ofKeys = ['getApiKey', 'regenerateApiKey', 'revokeApiKey'];

const own: Record<keyof typeof dialects, { lines: DeploymentJson; absent: readonly string[] }> = {
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

/** What a reader of a dialect would write into its file. */
export const fileOf = (name: keyof typeof dialects): DeploymentJson => ({
  ...own[name].lines,
  absent: [...own[name].absent, ...ofAll],
});

const given = ['generateContent', 'createApiKey', 'createApiKeyAlias', 'createWebhook'];
const absent = Object.keys(routes).filter((operation) => !given.includes(operation));
const signed = { type: 'hmac' };
const common: DeploymentJson = {
  absent,
  idempotency: false,
  secretEncoding: 'utf8',
  scheme: signed,
};

/** The files of the services that do what the specification gives. */
export const givenOnlyFiles: Readonly<Record<keyof typeof givenOnly, DeploymentJson>> = {
  plain: common,
  renamed: {
    ...common,
    webhookUrlField: 'callbackUrl',
    fields: {
      requestId: 'id',
      result: 'output',
      model: 'engine',
      'usage.totalTokens': 'tokens.total',
      key: 'api_key',
    },
  },
  mixed: {
    ...common,
    wrap: 'data',
    paths: { createApiKey: '/api-keys/generate' },
    scheme: { ...signed, encoding: 'base64', format: 'sha256={signature}' },
    fields: { requestId: 'job.id', key: 'credential.secret' },
  },
};
