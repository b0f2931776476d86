import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { apiKey } from './fixtures.ts';

const path = async (server: Parameters<typeof apiKey>[0]) =>
  `/api/auth/api-keys/${(await apiKey(server)).id}/regenerate`;

describeOperation(
  'regenerateApiKey',
  { path, body: {} },
  {
    201: async (server) => {
      const { id } = await apiKey(server);
      const response = await server.call('POST', `/api/auth/api-keys/${id}/regenerate`);
      expect(await response.clone().json()).toMatchObject({ regeneratedFrom: id, name: 'made' });
      return response;
    },
    400: async (server) => server.call('POST', await path(server), {}, { raw: 'null,' }),
    404: ({ call }) => call('POST', '/api/auth/api-keys/key_nope/regenerate'),
    409: async (server) => {
      const { id } = await apiKey(server);
      await server.ok('POST', `/api/auth/api-keys/${id}/revoke`);
      return server.call('POST', `/api/auth/api-keys/${id}/regenerate`);
    },
    422: async (server) => server.call('POST', await path(server), { gracePeriodSeconds: 604_801 }),
  },
);
