import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { generation } from './fixtures.ts';

const path = async (bench: Parameters<typeof generation>[0]) =>
  `/api/ai/content/generate/${await generation(bench)}/cancel`;

describeOperation(
  'cancelGeneration',
  { path },
  {
    200: async (bench) => {
      const response = await bench.call('POST', await path(bench));
      expect(await response.clone().json()).toMatchObject({ status: 'canceled' });
      await bench.mock.settle();
      expect(bench.mock.deliveries()).toEqual([]);
      return response;
    },
    400: async (bench) => bench.call('POST', await path(bench), {}, { raw: '{' }),
    404: ({ call }) => call('POST', '/api/ai/content/generate/gen_nope/cancel'),
    409: async (bench) => {
      const cancel = await path(bench);
      await bench.ok('POST', cancel);
      return bench.call('POST', cancel);
    },
    422: async (bench) => bench.call('POST', await path(bench), { why: 'changed my mind' }),
  },
);
