import { describeOperation } from './describe-operation.ts';
import { apiKey } from './fixtures.ts';

const path = async (bench: Parameters<typeof apiKey>[0]) =>
  `/api/auth/api-keys/${(await apiKey(bench)).id}`;

describeOperation(
  'getApiKey',
  { path },
  {
    200: async (bench) => bench.call('GET', await path(bench)),
    404: ({ call }) => call('GET', '/api/auth/api-keys/key_nope'),
    422: async (bench) => bench.call('GET', `${await path(bench)}?reveal=1`),
  },
);
