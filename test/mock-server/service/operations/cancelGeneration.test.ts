import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { generation } from './fixtures.ts';

const path = async (server: Parameters<typeof generation>[0]) =>
  `/api/ai/content/generate/${await generation(server)}/cancel`;

describeOperation(
  'cancelGeneration',
  { path },
  {
    200: async (server) => {
      const response = await server.call('POST', await path(server));
      expect(await response.clone().json()).toMatchObject({ status: 'canceled' });
      await server.mock.settle();
      expect(server.mock.deliveries()).toEqual([]);
      return response;
    },
    400: async (server) => server.call('POST', await path(server), {}, { raw: '{' }),
    404: ({ call }) => call('POST', '/api/ai/content/generate/gen_nope/cancel'),
    409: async (server) => {
      const cancel = await path(server);
      await server.ok('POST', cancel);
      return server.call('POST', cancel);
    },
    422: async (server) => server.call('POST', await path(server), { why: 'changed my mind' }),
  },
);
