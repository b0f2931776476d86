import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { webhook, webhookPath } from './fixtures.ts';

const path = async (bench: Parameters<typeof webhook>[0]) =>
  `${await webhookPath(bench)}/rotate-secret`;

describeOperation(
  'rotateWebhookSecret',
  { path, body: { force: true } },
  {
    200: async (bench) => {
      const { id, secret } = await webhook(bench);
      const response = await bench.call('POST', `/api/webhooks/${id}/rotate-secret`);
      expect((await response.clone().json()).secret).not.toBe(secret);
      return response;
    },
    400: async (bench) => bench.call('POST', await path(bench), {}, { raw: '{' }),
    404: ({ call }) => call('POST', '/api/webhooks/wh_nope/rotate-secret'),
    409: async (bench) => {
      const rotate = await path(bench);
      await bench.ok('POST', rotate);
      return bench.call('POST', rotate);
    },
    422: async (bench) => bench.call('POST', await path(bench), { overlapSeconds: 604_801 }),
  },
);
