import { describeOperation } from './describe-operation.ts';
import { webhookPath } from './fixtures.ts';

describeOperation(
  'deleteWebhook',
  { path: webhookPath },
  {
    204: async (server) => server.call('DELETE', await webhookPath(server)),
    404: async (server) => {
      const path = await webhookPath(server);
      await server.ok('DELETE', path);
      return server.call('DELETE', path);
    },
    422: async (server) => server.call('DELETE', `${await webhookPath(server)}?force=1`),
  },
);
