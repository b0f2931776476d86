import { describeOperation } from './describe-operation.ts';
import { apiKey } from './fixtures.ts';

const path = async (server: Parameters<typeof apiKey>[0]) =>
  `/api/auth/api-keys/${(await apiKey(server)).id}`;

describeOperation(
  'getApiKey',
  { path },
  {
    200: async (server) => server.call('GET', await path(server)),
    404: ({ call }) => call('GET', '/api/auth/api-keys/key_nope'),
    422: async (server) => server.call('GET', `${await path(server)}?reveal=1`),
  },
);
