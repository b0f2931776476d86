import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { webhookPath } from './fixtures.ts';

describeOperation(
  'updateWebhook',
  { path: webhookPath, body: { description: 'new' } },
  {
    200: async (bench) => {
      const response = await bench.call('PATCH', await webhookPath(bench), { status: 'disabled' });
      expect(await response.clone().json()).toMatchObject({
        status: 'disabled',
        disabledReason: 'requested',
      });
      return response;
    },
    400: async (bench) => bench.call('PATCH', await webhookPath(bench), {}, { raw: '{' }),
    404: ({ call }) => call('PATCH', '/api/webhooks/wh_nope', { description: 'new' }),
    422: async (bench) => bench.call('PATCH', await webhookPath(bench), { event: 'invoice_paid' }),
  },
);
