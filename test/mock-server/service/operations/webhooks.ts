import { expect } from 'vitest';
import type { ContractServer } from './contract-server.ts';
import type { Cases } from './describe-operation.ts';
import { inProgress, webhook, webhookPath } from './fixtures.ts';

const path = '/api/webhooks';
const registration = { event: 'usage_threshold', url: 'https://app.example/hooks' };
const rotatePath = async (server: ContractServer) => `${await webhookPath(server)}/rotate-secret`;
const testPath = async (server: ContractServer) => `${await webhookPath(server)}/test`;
const signingSecretPath = '/api/webhooks/signing-secret';
const rotateSigningSecretPath = '/api/webhooks/signing-secret/rotate';

export const webhookCases = {
  createWebhook: {
    recipe: { path: () => path, body: registration },
    own: {
      201: async ({ call }) => {
        const response = await call('POST', path, { ...registration, token: 'x'.repeat(16) });
        const made = await response.clone().json();
        expect(made).toMatchObject({
          ...registration,
          threshold: 0.9,
          status: 'enabled',
          hasToken: true,
        });
        expect(made).not.toHaveProperty('token');
        return response;
      },
      409: () => inProgress(() => path, registration),
      422: ({ call }) => call('POST', path, { ...registration, url: 'http://app.example/hooks' }),
    },
  },
  listWebhooks: {
    recipe: { path: () => path },
    own: {
      200: async (server) => {
        const { id, secret } = await webhook(server);
        const response = await server.call('GET', path);
        const text = await response.clone().text();
        expect(JSON.parse(text)).toMatchObject({ data: [{ id }], nextCursor: null });
        expect(text).not.toContain(secret);
        return response;
      },
      422: ({ call }) => call('GET', `${path}?limit=many`),
    },
  },
  getWebhook: {
    recipe: { path: webhookPath },
    own: {
      200: async (server) => server.call('GET', await webhookPath(server)),
    },
  },
  updateWebhook: {
    recipe: { path: webhookPath, body: { description: 'new' } },
    own: {
      200: async (server) => {
        const response = await server.call('PATCH', await webhookPath(server), {
          status: 'disabled',
        });
        expect(await response.clone().json()).toMatchObject({
          status: 'disabled',
          disabledReason: 'requested',
        });
        return response;
      },
      422: async (server) =>
        server.call('PATCH', await webhookPath(server), { event: 'invoice_paid' }),
    },
  },
  deleteWebhook: {
    recipe: { path: webhookPath },
    own: {
      204: async (server) => server.call('DELETE', await webhookPath(server)),
      404: async (server) => {
        const path = await webhookPath(server);
        await server.ok('DELETE', path);
        return server.call('DELETE', path);
      },
    },
  },
  rotateWebhookSecret: {
    recipe: { path: rotatePath, body: { force: true } },
    own: {
      200: async (server) => {
        const { id, secret } = await webhook(server);
        const response = await server.call('POST', `/api/webhooks/${id}/rotate-secret`);
        expect((await response.clone().json()).secret).not.toBe(secret);
        return response;
      },
      409: async (server) => {
        const rotate = await rotatePath(server);
        await server.ok('POST', rotate);
        return server.call('POST', rotate);
      },
      422: async (server) =>
        server.call('POST', await rotatePath(server), { overlapSeconds: 604_801 }),
    },
  },
  testWebhook: {
    recipe: { path: testPath },
    own: {
      202: async (server) => {
        const response = await server.call('POST', await testPath(server));
        expect(await response.clone().json()).toMatchObject({
          event: 'usage_threshold',
          status: 'pending',
          attempts: [],
        });
        return response;
      },
      409: async (server) => {
        const own = await webhookPath(server);
        await server.ok('PATCH', own, { status: 'disabled' });
        return server.call('POST', `${own}/test`);
      },
    },
  },
  getSigningSecret: {
    recipe: { path: () => signingSecretPath },
    own: {
      200: async ({ call, mock }) => {
        const response = await call('GET', signingSecretPath);
        expect(await response.clone().json()).toMatchObject({ secret: mock.signingSecret });
        return response;
      },
    },
  },
  rotateSigningSecret: {
    recipe: { path: () => rotateSigningSecretPath, body: { force: true } },
    own: {
      200: async ({ call, mock }) => {
        const previous = mock.signingSecret;
        const response = await call('POST', rotateSigningSecretPath, { overlapSeconds: 60 });
        const rotated = await response.clone().json();
        expect(rotated.previousExpiresAt).toBe('2026-01-01T00:01:00.000Z');
        expect(rotated.secret).not.toBe(previous);
        return response;
      },
      409: async ({ call, ok }) => {
        await ok('POST', rotateSigningSecretPath);
        return call('POST', rotateSigningSecretPath);
      },
      422: ({ call }) => call('POST', rotateSigningSecretPath, { overlapSeconds: '1' }),
    },
  },
} satisfies Partial<Cases>;
