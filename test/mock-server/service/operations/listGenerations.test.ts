import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';

const path = '/api/ai/content/generate';

describeOperation(
  'listGenerations',
  { path: () => path },
  {
    200: async ({ call, ok }) => {
      await ok('POST', path, { prompt: 'one' });
      await ok('POST', path, { prompt: 'two' });
      await call('POST', path, { prompt: '[[fail]]' });
      const all = await ok<{ data: { status: string }[] }>('GET', path);
      expect(all.data.map(({ status }) => status)).toEqual(['failed', 'completed', 'completed']);
      return call('GET', `${path}?status=failed&limit=1`);
    },
    400: ({ call }) => call('GET', `${path}?cursor=foreign`),
    422: ({ call }) => call('GET', `${path}?limit=101`),
  },
);
