import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { delivered, webhookPath } from './fixtures.ts';

const path = async (bench: Parameters<typeof webhookPath>[0]) =>
  `${await webhookPath(bench)}/deliveries`;

describeOperation(
  'listDeliveries',
  { path },
  {
    200: async (bench) => {
      const { webhookId, id } = await delivered(bench);
      const response = await bench.call('GET', `/api/webhooks/${webhookId}/deliveries`);
      expect(await response.clone().json()).toMatchObject({
        data: [{ id, webhookId, status: 'delivered', attempts: [{ status: 200 }] }],
      });
      return response;
    },
    400: async (bench) => bench.call('GET', `${await path(bench)}?cursor=foreign`),
    404: ({ call }) => call('GET', '/api/webhooks/wh_nope/deliveries'),
    422: async (bench) => bench.call('GET', `${await path(bench)}?status=lost`),
  },
);
