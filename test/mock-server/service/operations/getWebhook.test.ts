import { describeOperation } from './describe-operation.ts';
import { webhookPath } from './fixtures.ts';

describeOperation(
  'getWebhook',
  { path: webhookPath },
  {
    200: async (bench) => bench.call('GET', await webhookPath(bench)),
    404: ({ call }) => call('GET', '/api/webhooks/wh_nope'),
    422: async (bench) => bench.call('GET', `${await webhookPath(bench)}?with=secret`),
  },
);
