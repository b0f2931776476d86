import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { apiKey, inProgress } from './fixtures.ts';

const path = async (server: Parameters<typeof apiKey>[0]) =>
  `/api/auth/api-keys/${(await apiKey(server)).id}/revoke`;

describeOperation(
  'revokeApiKey',
  { path },
  {
    200: async (server) => {
      const { id, key } = await apiKey(server);
      const revoke = `/api/auth/api-keys/${id}/revoke`;
      await server.ok('POST', revoke);
      const rejected = await server.call('GET', '/api/usage', undefined, { key });
      expect(await rejected.json()).toMatchObject({ code: 'revoked_api_key' });
      return server.call('POST', revoke);
    },
    400: async (server) =>
      server.call('POST', await path(server), {}, { headers: { 'idempotency-key': 'a b' } }),
    404: ({ call }) => call('POST', '/api/auth/api-keys/key_nope/revoke'),
    409: () => inProgress(path),
    422: async (server) => server.call('POST', await path(server), { reason: 'leaked' }),
  },
);
