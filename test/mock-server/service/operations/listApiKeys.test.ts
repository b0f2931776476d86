import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';

const path = '/api/auth/api-keys';

describeOperation(
  'listApiKeys',
  { path: () => path },
  {
    200: async ({ call, ok }) => {
      await ok('POST', path, { name: 'newest' });
      const response = await call('GET', path);
      const text = await response.clone().text();
      const { data } = JSON.parse(text) as { data: { name: string }[] };
      expect(data.map(({ name }) => name)).toEqual(['newest', 'member', 'admin']);
      expect(text).not.toMatch(/cg_test_[0-9A-Za-z]{10}/);
      return response;
    },
    400: ({ call }) => call('GET', `${path}?cursor=key_nope`),
    422: ({ call }) => call('GET', `${path}?limit=0`),
  },
);
