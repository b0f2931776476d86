import { expect } from 'vitest';
import type { ContractServer } from './contract-server.ts';
import { createKeyCases } from './create-key-cases.ts';
import type { Cases } from './describe-operation.ts';
import { apiKey, inProgress } from './fixtures.ts';

const path = '/api/auth/api-keys';
const aliasPath = '/api-keys/generate';

const keyPath = async (server: ContractServer) => `/api/auth/api-keys/${(await apiKey(server)).id}`;
const regeneratePath = async (server: ContractServer) =>
  `/api/auth/api-keys/${(await apiKey(server)).id}/regenerate`;
const revokePath = async (server: ContractServer) =>
  `/api/auth/api-keys/${(await apiKey(server)).id}/revoke`;

export const apiKeyCases = {
  createApiKey: {
    recipe: { path: () => path, body: { name: 'ci' } },
    own: createKeyCases(path),
  },
  createApiKeyAlias: {
    recipe: { path: () => aliasPath, body: { name: 'ci' } },
    own: createKeyCases(aliasPath),
  },
  listApiKeys: {
    recipe: { path: () => path },
    own: {
      200: async ({ call, ok }) => {
        await ok('POST', path, { name: 'newest' });
        const response = await call('GET', path);
        const text = await response.clone().text();
        const { data } = JSON.parse(text) as { data: { name: string }[] };
        expect(data.map(({ name }) => name)).toEqual(['newest', 'member', 'admin']);
        expect(text).not.toMatch(/cg_test_[0-9A-Za-z]{10}/);
        return response;
      },
      422: ({ call }) => call('GET', `${path}?limit=0`),
    },
  },
  getApiKey: {
    recipe: { path: keyPath },
    own: {
      200: async (server) => server.call('GET', await keyPath(server)),
    },
  },
  regenerateApiKey: {
    recipe: { path: regeneratePath, body: {} },
    own: {
      201: async (server) => {
        const { id } = await apiKey(server);
        const response = await server.call('POST', `/api/auth/api-keys/${id}/regenerate`);
        expect(await response.clone().json()).toMatchObject({ regeneratedFrom: id, name: 'made' });
        return response;
      },
      409: async (server) => {
        const { id } = await apiKey(server);
        await server.ok('POST', `/api/auth/api-keys/${id}/revoke`);
        return server.call('POST', `/api/auth/api-keys/${id}/regenerate`);
      },
      422: async (server) =>
        server.call('POST', await regeneratePath(server), { gracePeriodSeconds: 604_801 }),
    },
  },
  revokeApiKey: {
    recipe: { path: revokePath },
    own: {
      200: async (server) => {
        const { id, key } = await apiKey(server);
        const revoke = `/api/auth/api-keys/${id}/revoke`;
        await server.ok('POST', revoke);
        const rejected = await server.call('GET', '/api/usage', undefined, { key });
        expect(await rejected.json()).toMatchObject({ code: 'revoked_api_key' });
        return server.call('POST', revoke);
      },
      400: async (server) =>
        server.call(
          'POST',
          await revokePath(server),
          {},
          { headers: { 'idempotency-key': 'a b' } },
        ),
      409: () => inProgress(revokePath),
    },
  },
} satisfies Partial<Cases>;
