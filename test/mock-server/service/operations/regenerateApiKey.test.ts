import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { apiKey } from './fixtures.ts';

const path = async (bench: Parameters<typeof apiKey>[0]) =>
  `/api/auth/api-keys/${(await apiKey(bench)).id}/regenerate`;

describeOperation(
  'regenerateApiKey',
  { path, body: {} },
  {
    201: async (bench) => {
      const { id } = await apiKey(bench);
      const response = await bench.call('POST', `/api/auth/api-keys/${id}/regenerate`);
      expect(await response.clone().json()).toMatchObject({ regeneratedFrom: id, name: 'made' });
      return response;
    },
    400: async (bench) => bench.call('POST', await path(bench), {}, { raw: 'null,' }),
    404: ({ call }) => call('POST', '/api/auth/api-keys/key_nope/regenerate'),
    409: async (bench) => {
      const { id } = await apiKey(bench);
      await bench.ok('POST', `/api/auth/api-keys/${id}/revoke`);
      return bench.call('POST', `/api/auth/api-keys/${id}/regenerate`);
    },
    422: async (bench) => bench.call('POST', await path(bench), { gracePeriodSeconds: 604_801 }),
  },
);
