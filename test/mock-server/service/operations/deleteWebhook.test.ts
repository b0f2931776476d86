import { describeOperation } from './describe-operation.ts';
import { webhookPath } from './fixtures.ts';

describeOperation(
  'deleteWebhook',
  { path: webhookPath },
  {
    204: async (bench) => bench.call('DELETE', await webhookPath(bench)),
    404: async (bench) => {
      const path = await webhookPath(bench);
      await bench.ok('DELETE', path);
      return bench.call('DELETE', path);
    },
    422: async (bench) => bench.call('DELETE', `${await webhookPath(bench)}?force=1`),
  },
);
