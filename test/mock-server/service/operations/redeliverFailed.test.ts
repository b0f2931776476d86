import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { webhookPath } from './fixtures.ts';

const path = async (bench: Parameters<typeof webhookPath>[0]) =>
  `${await webhookPath(bench)}/redeliver`;
const body = { since: '2026-01-01T00:00:00.000Z' };

describeOperation(
  'redeliverFailed',
  { path, body },
  {
    202: async (bench) => {
      const own = await webhookPath(bench);
      bench.mock.receivers.set(
        'https://app.example/hooks',
        () => new Response('', { status: 500 }),
      );
      await bench.ok('POST', `${own}/test`);
      await bench.mock.clock.advance('4 days');
      bench.mock.receivers.set('https://app.example/hooks', () => new Response());
      const response = await bench.call('POST', `${own}/redeliver`, body);
      expect(await response.clone().json()).toEqual({ count: 1 });
      await bench.mock.settle();
      expect(bench.mock.deliveries()).toMatchObject([{ status: 'delivered' }]);
      return response;
    },
    400: async (bench) => bench.call('POST', await path(bench), {}, { raw: '{' }),
    404: ({ call }) => call('POST', '/api/webhooks/wh_nope/redeliver', body),
    409: async (bench) => {
      const own = await webhookPath(bench);
      await bench.ok('PATCH', own, { status: 'disabled' });
      return bench.call('POST', `${own}/redeliver`, body);
    },
    422: async (bench) => bench.call('POST', await path(bench), { since: 'yesterday' }),
  },
);
