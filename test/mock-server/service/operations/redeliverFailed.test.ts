import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { webhookPath } from './fixtures.ts';

const path = async (server: Parameters<typeof webhookPath>[0]) =>
  `${await webhookPath(server)}/redeliver`;
const body = { since: '2026-01-01T00:00:00.000Z' };

describeOperation(
  'redeliverFailed',
  { path, body },
  {
    202: async (server) => {
      const own = await webhookPath(server);
      server.mock.receivers.set(
        'https://app.example/hooks',
        () => new Response('', { status: 500 }),
      );
      await server.ok('POST', `${own}/test`);
      await server.mock.clock.advance('4 days');
      server.mock.receivers.set('https://app.example/hooks', () => new Response());
      const response = await server.call('POST', `${own}/redeliver`, body);
      expect(await response.clone().json()).toEqual({ count: 1 });
      await server.mock.settle();
      expect(server.mock.deliveries()).toMatchObject([{ status: 'delivered' }]);
      return response;
    },
    400: async (server) => server.call('POST', await path(server), {}, { raw: '{' }),
    404: ({ call }) => call('POST', '/api/webhooks/wh_nope/redeliver', body),
    409: async (server) => {
      const own = await webhookPath(server);
      await server.ok('PATCH', own, { status: 'disabled' });
      return server.call('POST', `${own}/redeliver`, body);
    },
    422: async (server) => server.call('POST', await path(server), { since: 'yesterday' }),
  },
);
