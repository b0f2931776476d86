import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { type webhook, webhookPath } from './fixtures.ts';

const path = async (server: Parameters<typeof webhook>[0]) => `${await webhookPath(server)}/test`;

describeOperation(
  'testWebhook',
  { path },
  {
    202: async (server) => {
      const response = await server.call('POST', await path(server));
      expect(await response.clone().json()).toMatchObject({
        event: 'usage_threshold',
        status: 'pending',
        attempts: [],
      });
      return response;
    },
    400: async (server) => server.call('POST', await path(server), {}, { raw: '{' }),
    404: ({ call }) => call('POST', '/api/webhooks/wh_nope/test'),
    409: async (server) => {
      const own = await webhookPath(server);
      await server.ok('PATCH', own, { status: 'disabled' });
      return server.call('POST', `${own}/test`);
    },
    422: async (server) => server.call('POST', await path(server), { event: 'usage_threshold' }),
  },
);
