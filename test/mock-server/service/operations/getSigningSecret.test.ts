import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';

const path = '/api/webhooks/signing-secret';

describeOperation(
  'getSigningSecret',
  { path: () => path },
  {
    200: async ({ call, mock }) => {
      const response = await call('GET', path);
      expect(await response.clone().json()).toMatchObject({ secret: mock.signingSecret });
      return response;
    },
    422: ({ call }) => call('GET', `${path}?project=other`),
  },
);
