import type { ContentGen, Page } from 'contentgen';
import type { operations } from '../../../src/generated/operations.ts';
import { completed } from './service.ts';

const page: Omit<Page<object>, 'nextPage'> = { data: [], nextCursor: null };
const since = '2026-01-01T00:00:00.000Z';
const threshold = { event: 'usage_threshold', url: 'https://a.example', threshold: 0.9 } as const;
const generation = { prompt: 'p', seed: 1, metadata: { a: 'b' } };
const key = { name: 'ci', role: 'member', expiresAt: null } as const;
const generate = '/api/ai/content/generate';

type Call = PromiseLike<unknown> & { safe(): Promise<{ readonly error?: unknown }> };
type Row = [call: (client: ContentGen) => Call, path: string, response: object, body?: object];

/** Every operation: the call, its path and its response, and its body. The alias is only reachable through `paths`. */
export const rows: Record<Exclude<keyof typeof operations, 'createApiKeyAlias'>, Row> = {
  generateContent: [({ content }) => content.generate(generation), generate, completed, generation],
  listGenerations: [
    ({ content }) => content.list({ status: 'failed', limit: 3, cursor: 'a/b&c' }),
    `${generate}?status=failed&limit=3&cursor=a%2Fb%26c`,
    page,
  ],
  getGeneration: [({ content }) => content.get('gen_1'), `${generate}/gen_1`, completed],
  cancelGeneration: [
    ({ content }) => content.cancel('gen_1'),
    `${generate}/gen_1/cancel`,
    { ...completed, status: 'canceled' },
  ],
  createApiKey: [
    ({ apiKeys }) => apiKeys.create(key),
    '/api/auth/api-keys',
    { id: 'key_1', key: 'cg_test_new' },
    key,
  ],
  listApiKeys: [({ apiKeys }) => apiKeys.list(), '/api/auth/api-keys', page],
  getApiKey: [
    ({ apiKeys }) => apiKeys.get('$& 1'),
    '/api/auth/api-keys/%24%26%201',
    { id: '$& 1' },
  ],
  revokeApiKey: [
    ({ apiKeys }) => apiKeys.revoke('key_1'),
    '/api/auth/api-keys/key_1/revoke',
    { id: 'key_1' },
  ],
  regenerateApiKey: [
    ({ apiKeys }) => apiKeys.regenerate('key_1', { gracePeriodSeconds: 0 }),
    '/api/auth/api-keys/key_1/regenerate',
    { id: 'key_2', key: 'cg_test_new' },
    { gracePeriodSeconds: 0 },
  ],
  createWebhook: [
    ({ webhooks }) => webhooks.create(threshold),
    '/api/webhooks',
    { id: 'wh_1', secret: 'whsec_x' },
    threshold,
  ],
  listWebhooks: [({ webhooks }) => webhooks.list({ limit: 1 }), '/api/webhooks?limit=1', page],
  getWebhook: [({ webhooks }) => webhooks.get('wh_1'), '/api/webhooks/wh_1', { id: 'wh_1' }],
  updateWebhook: [
    ({ webhooks }) => webhooks.update('wh_1', { status: 'disabled' }),
    '/api/webhooks/wh_1',
    { id: 'wh_1' },
    { status: 'disabled' },
  ],
  deleteWebhook: [({ webhooks }) => webhooks.delete('wh_1'), '/api/webhooks/wh_1', {}],
  rotateWebhookSecret: [
    ({ webhooks }) => webhooks.rotateSecret('wh_1', { overlapSeconds: 0, force: true }),
    '/api/webhooks/wh_1/rotate-secret',
    { id: 'wh_1', secret: 'whsec_y' },
    { overlapSeconds: 0, force: true },
  ],
  testWebhook: [
    ({ webhooks }) => webhooks.test('wh_1'),
    '/api/webhooks/wh_1/test',
    { id: 'dlv_1' },
  ],
  listDeliveries: [
    ({ webhooks }) => webhooks.listDeliveries('wh_1', { status: 'failed', limit: 2 }),
    '/api/webhooks/wh_1/deliveries?status=failed&limit=2',
    page,
  ],
  listCallbackDeliveries: [
    ({ webhooks }) => webhooks.listCallbackDeliveries({ since: '2026-01-01T00:00:00+00:00' }),
    '/api/webhooks/deliveries?since=2026-01-01T00%3A00%3A00%2B00%3A00',
    page,
  ],
  redeliver: [
    ({ webhooks }) => webhooks.redeliver('dlv_1'),
    '/api/webhooks/deliveries/dlv_1/redeliver',
    { id: 'dlv_1' },
  ],
  redeliverFailed: [
    ({ webhooks }) => webhooks.redeliverFailed('wh_1', { since }),
    '/api/webhooks/wh_1/redeliver',
    { count: 2 },
    { since },
  ],
  redeliverFailedCallbacks: [
    ({ webhooks }) => webhooks.redeliverFailedCallbacks({ since, status: 'delivered' }),
    '/api/webhooks/deliveries/redeliver',
    { count: 3 },
    { since, status: 'delivered' },
  ],
  getSigningSecret: [
    ({ webhooks }) => webhooks.getSigningSecret(),
    '/api/webhooks/signing-secret',
    { secret: 'whsec_x' },
  ],
  rotateSigningSecret: [
    ({ webhooks }) => webhooks.rotateSigningSecret(),
    '/api/webhooks/signing-secret/rotate',
    { secret: 'whsec_y' },
  ],
  getUsage: [({ usage }) => usage.get(), '/api/usage', { used: 1, quota: 2 }],
};
