import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { apiKey, inProgress } from './fixtures.ts';

const path = async (bench: Parameters<typeof apiKey>[0]) =>
  `/api/auth/api-keys/${(await apiKey(bench)).id}/revoke`;

describeOperation(
  'revokeApiKey',
  { path },
  {
    200: async (bench) => {
      const { id, key } = await apiKey(bench);
      const revoke = `/api/auth/api-keys/${id}/revoke`;
      await bench.ok('POST', revoke);
      const rejected = await bench.call('GET', '/api/usage', undefined, { key });
      expect(await rejected.json()).toMatchObject({ code: 'revoked_api_key' });
      return bench.call('POST', revoke);
    },
    400: async (bench) =>
      bench.call('POST', await path(bench), {}, { headers: { 'idempotency-key': 'a b' } }),
    404: ({ call }) => call('POST', '/api/auth/api-keys/key_nope/revoke'),
    409: () => inProgress(path),
    422: async (bench) => bench.call('POST', await path(bench), { reason: 'leaked' }),
  },
);
