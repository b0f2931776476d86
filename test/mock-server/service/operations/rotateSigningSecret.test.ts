import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';

const path = '/api/webhooks/signing-secret/rotate';

describeOperation(
  'rotateSigningSecret',
  { path: () => path, body: { force: true } },
  {
    200: async ({ call, mock }) => {
      const previous = mock.signingSecret;
      const response = await call('POST', path, { overlapSeconds: 60 });
      const rotated = await response.clone().json();
      expect(rotated.previousExpiresAt).toBe('2026-01-01T00:01:00.000Z');
      expect(rotated.secret).not.toBe(previous);
      return response;
    },
    400: ({ call }) => call('POST', path, {}, { raw: '{' }),
    409: async ({ call, ok }) => {
      await ok('POST', path);
      return call('POST', path);
    },
    422: ({ call }) => call('POST', path, { overlapSeconds: '1' }),
  },
);
