import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { generation } from './fixtures.ts';

describeOperation(
  'getGeneration',
  { path: async (bench) => `/api/ai/content/generate/${await generation(bench)}` },
  {
    200: async (bench) => {
      const id = await generation(bench);
      await bench.mock.settle();
      const response = await bench.call('GET', `/api/ai/content/generate/${id}`);
      expect(await response.clone().json()).toMatchObject({ requestId: id, status: 'completed' });
      return response;
    },
    404: ({ call }) => call('GET', '/api/ai/content/generate/gen_nope'),
    422: async (bench) =>
      bench.call('GET', `/api/ai/content/generate/${await generation(bench)}?verbose=1`),
  },
);
