import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { delivered, webhookPath } from './fixtures.ts';

const path = async (server: Parameters<typeof webhookPath>[0]) =>
  `${await webhookPath(server)}/deliveries`;

describeOperation(
  'listDeliveries',
  { path },
  {
    200: async (server) => {
      const { webhookId, id } = await delivered(server);
      const response = await server.call('GET', `/api/webhooks/${webhookId}/deliveries`);
      expect(await response.clone().json()).toMatchObject({
        data: [{ id, webhookId, status: 'delivered', attempts: [{ status: 200 }] }],
      });
      return response;
    },
    400: async (server) => server.call('GET', `${await path(server)}?cursor=foreign`),
    404: ({ call }) => call('GET', '/api/webhooks/wh_nope/deliveries'),
    422: async (server) => server.call('GET', `${await path(server)}?status=lost`),
  },
);
