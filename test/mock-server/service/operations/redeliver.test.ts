import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { delivered, inFlight, limited } from './fixtures.ts';

const path = async (server: Parameters<typeof delivered>[0]) =>
  `/api/webhooks/deliveries/${(await delivered(server)).id}/redeliver`;

describeOperation(
  'redeliver',
  { path },
  {
    202: async (server) => {
      const { id, messageId } = await delivered(server);
      const response = await server.call('POST', `/api/webhooks/deliveries/${id}/redeliver`);
      expect(await response.clone().json()).toMatchObject({ id, messageId, status: 'pending' });
      return response;
    },
    400: async (server) => server.call('POST', await path(server), {}, { raw: '{' }),
    404: ({ call }) => call('POST', '/api/webhooks/deliveries/dlv_nope/redeliver'),
    409: async (server) => {
      const again = await path(server);
      await server.ok('POST', again);
      await inFlight(server);
      return server.call('POST', again);
    },
    422: async (server) => server.call('POST', await path(server), { now: true }),
    429: () => limited('POST', '/api/webhooks/deliveries/dlv_nope/redeliver'),
  },
);
