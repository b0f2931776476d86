import { describeOperation } from './describe-operation.ts';
import { webhookPath } from './fixtures.ts';

describeOperation(
  'getWebhook',
  { path: webhookPath },
  {
    200: async (server) => server.call('GET', await webhookPath(server)),
    404: ({ call }) => call('GET', '/api/webhooks/wh_nope'),
    422: async (server) => server.call('GET', `${await webhookPath(server)}?with=secret`),
  },
);
