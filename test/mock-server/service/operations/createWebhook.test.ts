import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { inProgress } from './fixtures.ts';

const path = '/api/webhooks';
const body = { event: 'usage_threshold', url: 'https://app.example/hooks' };

describeOperation(
  'createWebhook',
  { path: () => path, body },
  {
    201: async ({ call }) => {
      const response = await call('POST', path, { ...body, token: 'x'.repeat(16) });
      const made = await response.clone().json();
      expect(made).toMatchObject({ ...body, threshold: 0.9, status: 'enabled', hasToken: true });
      expect(made).not.toHaveProperty('token');
      return response;
    },
    400: ({ call }) => call('POST', path, {}, { raw: '{' }),
    409: () => inProgress(() => path, body),
    422: ({ call }) => call('POST', path, { ...body, url: 'http://app.example/hooks' }),
  },
);
