import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { generation } from './fixtures.ts';

describeOperation(
  'getGeneration',
  { path: async (server) => `/api/ai/content/generate/${await generation(server)}` },
  {
    200: async (server) => {
      const id = await generation(server);
      await server.mock.settle();
      const response = await server.call('GET', `/api/ai/content/generate/${id}`);
      expect(await response.clone().json()).toMatchObject({ requestId: id, status: 'completed' });
      return response;
    },
    404: ({ call }) => call('GET', '/api/ai/content/generate/gen_nope'),
    422: async (server) =>
      server.call('GET', `/api/ai/content/generate/${await generation(server)}?verbose=1`),
  },
);
