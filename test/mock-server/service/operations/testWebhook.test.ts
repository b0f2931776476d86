import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { type webhook, webhookPath } from './fixtures.ts';

const path = async (bench: Parameters<typeof webhook>[0]) => `${await webhookPath(bench)}/test`;

describeOperation(
  'testWebhook',
  { path },
  {
    202: async (bench) => {
      const response = await bench.call('POST', await path(bench));
      expect(await response.clone().json()).toMatchObject({
        event: 'usage_threshold',
        status: 'pending',
        attempts: [],
      });
      return response;
    },
    400: async (bench) => bench.call('POST', await path(bench), {}, { raw: '{' }),
    404: ({ call }) => call('POST', '/api/webhooks/wh_nope/test'),
    409: async (bench) => {
      const own = await webhookPath(bench);
      await bench.ok('PATCH', own, { status: 'disabled' });
      return bench.call('POST', `${own}/test`);
    },
    422: async (bench) => bench.call('POST', await path(bench), { event: 'usage_threshold' }),
  },
);
