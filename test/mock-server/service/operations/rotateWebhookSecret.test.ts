import { expect } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { webhook, webhookPath } from './fixtures.ts';

const path = async (server: Parameters<typeof webhook>[0]) =>
  `${await webhookPath(server)}/rotate-secret`;

describeOperation(
  'rotateWebhookSecret',
  { path, body: { force: true } },
  {
    200: async (server) => {
      const { id, secret } = await webhook(server);
      const response = await server.call('POST', `/api/webhooks/${id}/rotate-secret`);
      expect((await response.clone().json()).secret).not.toBe(secret);
      return response;
    },
    400: async (server) => server.call('POST', await path(server), {}, { raw: '{' }),
    404: ({ call }) => call('POST', '/api/webhooks/wh_nope/rotate-secret'),
    409: async (server) => {
      const rotate = await path(server);
      await server.ok('POST', rotate);
      return server.call('POST', rotate);
    },
    422: async (server) => server.call('POST', await path(server), { overlapSeconds: 604_801 }),
  },
);
