import { expect } from 'vitest';
import type { OperationId } from '../../../../src/generated/operations.ts';
import type { ContractServer } from './contract-server.ts';
import { describeOperation, type Row } from './describe-operation.ts';

const generate = '/api/ai/content/generate';
const keys = '/api/auth/api-keys';
const hooks = '/api/webhooks';
const callbacks = '/api/webhooks/deliveries';
const prompt = 'A haiku about TCP';
const receiver = 'https://app.example/hooks';
const registration = { event: 'usage_threshold', url: receiver };
const since = { since: '2026-01-01T00:00:00.000Z' };

/** The path of something that exists, after `create` and before `end`. */
const existing =
  (path: string, body: object, end = '') =>
  async ({ ok }: ContractServer) => {
    const { id, requestId } = await ok<{ id: string; requestId: string }>('POST', path, body);
    return `${path}/${id ?? requestId}${end}`;
  };
const generationPath = (end = '') =>
  existing(generate, { prompt: 'Later', webhookUrl: 'https://app.example/cb' }, end);
const keyPath = (end = '') => existing(keys, { name: 'made' }, end);
const hookPath = (end = '') => existing(hooks, registration, end);

/** The path of a delivery that succeeded. */
async function redeliverPath(on: ContractServer): Promise<string> {
  on.mock.receivers.set(receiver, () => new Response());
  const { id } = await on.ok<{ id: string }>('POST', await hookPath('/test')(on));
  await on.mock.settle();
  return `${callbacks}/${id}/redeliver`;
}

/** A call to a registration that is disabled. */
const whileDisabled = (end: string, body?: object) => async (on: ContractServer) => {
  const path = await hookPath()(on);
  await on.ok('PATCH', path, { status: 'disabled' });
  return on.call('POST', path + end, body);
};

/** An operation without a row does not compile. */
const rows: Record<OperationId, Row> = {
  generateContent: {
    path: generate,
    body: { prompt },
    invalid: { prompt: '' },
    own: {
      202: ({ call }) => call('POST', generate, { prompt, webhookUrl: 'https://app.example/cb' }),
      500: async ({ call, ok }) => {
        const response = await call('POST', generate, { prompt: '[[fail: out of ink]]' });
        const problem = await response.clone().json();
        expect(problem).toMatchObject({ code: 'generation_failed', detail: 'out of ink' });
        const kept = await ok('GET', `${generate}/${problem.generationId}`);
        expect(kept).toMatchObject({ status: 'failed' });
        return response;
      },
    },
  },
  listGenerations: { path: generate, invalid: '?limit=101' },
  getGeneration: {
    path: generationPath(),
    own: {
      204: async (on) => {
        const path = await generationPath()(on);
        await on.mock.settle();
        const headers = { accept: 'text/event-stream', 'last-event-id': '3' };
        return on.call('GET', path, undefined, { headers });
      },
    },
  },
  cancelGeneration: { path: generationPath('/cancel') },
  createApiKey: { path: keys, body: { name: 'ci' }, invalid: { expiresAt: since.since } },
  createApiKeyAlias: {
    path: '/api-keys/generate',
    body: { name: 'ci' },
    // In UTC, it is in the year 10000.
    invalid: { expiresAt: '9999-12-31T23:59:59-05:00' },
  },
  listApiKeys: { path: keys, invalid: '?limit=0' },
  getApiKey: { path: keyPath() },
  regenerateApiKey: {
    path: keyPath('/regenerate'),
    invalid: { gracePeriodSeconds: 604_801 },
    own: {
      409: async (on) => {
        const path = await keyPath()(on);
        await on.ok('POST', `${path}/revoke`);
        return on.call('POST', `${path}/regenerate`);
      },
    },
  },
  revokeApiKey: {
    path: keyPath('/revoke'),
    own: {
      200: async (on) => {
        const path = await keyPath('/revoke')(on);
        await on.ok('POST', path);
        return on.call('POST', path);
      },
    },
  },
  createWebhook: {
    path: hooks,
    body: registration,
    invalid: { ...registration, url: 'http://app.example/hooks' },
    own: {
      201: async ({ call }) => {
        const response = await call('POST', hooks, { ...registration, token: 'x'.repeat(16) });
        const made = await response.clone().json();
        const defaults = { threshold: 0.9, status: 'enabled', hasToken: true };
        expect(made).toMatchObject({ ...registration, ...defaults });
        expect(made).not.toHaveProperty('token');
        return response;
      },
    },
  },
  listWebhooks: { path: hooks, invalid: '?limit=many' },
  getWebhook: { path: hookPath() },
  updateWebhook: {
    path: hookPath(),
    body: { description: 'new' },
    invalid: { event: 'invoice_paid' },
  },
  deleteWebhook: {
    path: hookPath(),
    own: {
      404: async (on) => {
        const path = await hookPath()(on);
        await on.ok('DELETE', path);
        return on.call('DELETE', path);
      },
    },
  },
  rotateWebhookSecret: {
    path: hookPath('/rotate-secret'),
    body: { force: true },
    invalid: { overlapSeconds: 604_801 },
  },
  testWebhook: { path: hookPath('/test'), own: { 409: whileDisabled('/test') } },
  getSigningSecret: { path: '/api/webhooks/signing-secret' },
  rotateSigningSecret: {
    path: '/api/webhooks/signing-secret/rotate',
    body: { force: true },
    invalid: { overlapSeconds: '1' },
  },
  listDeliveries: { path: hookPath('/deliveries'), invalid: '?status=lost' },
  listCallbackDeliveries: { path: callbacks, invalid: '?requestId=' },
  redeliver: { path: redeliverPath },
  redeliverFailed: {
    path: hookPath('/redeliver'),
    body: since,
    invalid: { since: 'yesterday' },
    own: { 409: whileDisabled('/redeliver', since) },
  },
  redeliverFailedCallbacks: {
    path: `${callbacks}/redeliver`,
    body: since,
    invalid: { ...since, status: 'pending' },
  },
  getUsage: { path: '/api/usage' },
};

for (const [id, row] of Object.entries(rows)) describeOperation(id as OperationId, row);
