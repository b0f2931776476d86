import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { generation } from './fixtures.ts';

const path = '/api/webhooks/deliveries';

describeOperation(
  'listCallbackDeliveries',
  { path: () => path },
  {
    200: async (server) => {
      server.mock.receivers.set('https://app.example/cb', () => new Response());
      const [first, second] = [await generation(server), await generation(server)];
      await server.mock.settle();
      const all = await server.ok<{ data: { requestId: string }[] }>('GET', path);
      expect(all.data.map(({ requestId }) => requestId)).toEqual([second, first]);
      const response = await server.call('GET', `${path}?requestId=${first}`);
      expect(await response.clone().json()).toMatchObject({
        data: [{ requestId: first, event: 'generation_completed', status: 'delivered' }],
      });
      return response;
    },
    400: ({ call }) => call('GET', `${path}?cursor=foreign`),
    422: ({ call }) => call('GET', `${path}?requestId=`),
  },
);
