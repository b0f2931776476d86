import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { delivered, inFlight, limited } from './fixtures.ts';

const path = async (bench: Parameters<typeof delivered>[0]) =>
  `/api/webhooks/deliveries/${(await delivered(bench)).id}/redeliver`;

describeOperation(
  'redeliver',
  { path },
  {
    202: async (bench) => {
      const { id, messageId } = await delivered(bench);
      const response = await bench.call('POST', `/api/webhooks/deliveries/${id}/redeliver`);
      expect(await response.clone().json()).toMatchObject({ id, messageId, status: 'pending' });
      return response;
    },
    400: async (bench) => bench.call('POST', await path(bench), {}, { raw: '{' }),
    404: ({ call }) => call('POST', '/api/webhooks/deliveries/dlv_nope/redeliver'),
    409: async (bench) => {
      const again = await path(bench);
      await bench.ok('POST', again);
      await inFlight(bench);
      return bench.call('POST', again);
    },
    422: async (bench) => bench.call('POST', await path(bench), { now: true }),
    429: () => limited('POST', '/api/webhooks/deliveries/dlv_nope/redeliver'),
  },
);
