import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { webhook } from './fixtures.ts';

const path = '/api/webhooks';

describeOperation(
  'listWebhooks',
  { path: () => path },
  {
    200: async (server) => {
      const { id, secret } = await webhook(server);
      const response = await server.call('GET', path);
      const text = await response.clone().text();
      expect(JSON.parse(text)).toMatchObject({ data: [{ id }], nextCursor: null });
      expect(text).not.toContain(secret);
      return response;
    },
    400: ({ call }) => call('GET', `${path}?cursor=foreign`),
    422: ({ call }) => call('GET', `${path}?limit=many`),
  },
);
