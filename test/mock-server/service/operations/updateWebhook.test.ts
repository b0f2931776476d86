import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { webhookPath } from './fixtures.ts';

describeOperation(
  'updateWebhook',
  { path: webhookPath, body: { description: 'new' } },
  {
    200: async (server) => {
      const response = await server.call('PATCH', await webhookPath(server), {
        status: 'disabled',
      });
      expect(await response.clone().json()).toMatchObject({
        status: 'disabled',
        disabledReason: 'requested',
      });
      return response;
    },
    400: async (server) => server.call('PATCH', await webhookPath(server), {}, { raw: '{' }),
    404: ({ call }) => call('PATCH', '/api/webhooks/wh_nope', { description: 'new' }),
    422: async (server) =>
      server.call('PATCH', await webhookPath(server), { event: 'invoice_paid' }),
  },
);
