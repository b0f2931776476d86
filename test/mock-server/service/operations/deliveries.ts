import { expect } from 'vitest';
import type { ContractServer } from './contract-server.ts';
import type { Cases } from './describe-operation.ts';
import { delivered, generation, inFlight, inProgress, limited, webhookPath } from './fixtures.ts';

const deliveriesPath = async (server: ContractServer) => `${await webhookPath(server)}/deliveries`;
const callbacksPath = '/api/webhooks/deliveries';
const redeliverPath = async (server: ContractServer) =>
  `/api/webhooks/deliveries/${(await delivered(server)).id}/redeliver`;
const redeliverFailedPath = async (server: ContractServer) =>
  `${await webhookPath(server)}/redeliver`;
const since = { since: '2026-01-01T00:00:00.000Z' };
const redeliverCallbacksPath = '/api/webhooks/deliveries/redeliver';
const receiver = 'https://app.example/cb';

export const deliveryCases = {
  listDeliveries: {
    recipe: { path: deliveriesPath },
    own: {
      200: async (server) => {
        const { webhookId, id } = await delivered(server);
        const response = await server.call('GET', `/api/webhooks/${webhookId}/deliveries`);
        expect(await response.clone().json()).toMatchObject({
          data: [{ id, webhookId, status: 'delivered', attempts: [{ status: 200 }] }],
        });
        return response;
      },
      422: async (server) => server.call('GET', `${await deliveriesPath(server)}?status=lost`),
    },
  },
  listCallbackDeliveries: {
    recipe: { path: () => callbacksPath },
    own: {
      200: async (server) => {
        server.mock.receivers.set('https://app.example/cb', () => new Response());
        const [first, second] = [await generation(server), await generation(server)];
        await server.mock.settle();
        const all = await server.ok<{ data: { requestId: string }[] }>('GET', callbacksPath);
        expect(all.data.map(({ requestId }) => requestId)).toEqual([second, first]);
        const response = await server.call('GET', `${callbacksPath}?requestId=${first}`);
        expect(await response.clone().json()).toMatchObject({
          data: [{ requestId: first, event: 'generation_completed', status: 'delivered' }],
        });
        return response;
      },
      422: ({ call }) => call('GET', `${callbacksPath}?requestId=`),
    },
  },
  redeliver: {
    recipe: { path: redeliverPath },
    own: {
      202: async (server) => {
        const { id, messageId } = await delivered(server);
        const response = await server.call('POST', `/api/webhooks/deliveries/${id}/redeliver`);
        expect(await response.clone().json()).toMatchObject({ id, messageId, status: 'pending' });
        return response;
      },
      409: async (server) => {
        const again = await redeliverPath(server);
        await server.ok('POST', again);
        await inFlight(server);
        return server.call('POST', again);
      },
      429: () => limited('POST', '/api/webhooks/deliveries/dlv_nope/redeliver'),
    },
  },
  redeliverFailed: {
    recipe: { path: redeliverFailedPath, body: since },
    own: {
      202: async (server) => {
        const own = await webhookPath(server);
        server.mock.receivers.set(
          'https://app.example/hooks',
          () => new Response('', { status: 500 }),
        );
        await server.ok('POST', `${own}/test`);
        await server.mock.clock.advance('4 days');
        server.mock.receivers.set('https://app.example/hooks', () => new Response());
        const response = await server.call('POST', `${own}/redeliver`, since);
        expect(await response.clone().json()).toEqual({ count: 1 });
        await server.mock.settle();
        expect(server.mock.deliveries()).toMatchObject([{ status: 'delivered' }]);
        return response;
      },
      409: async (server) => {
        const own = await webhookPath(server);
        await server.ok('PATCH', own, { status: 'disabled' });
        return server.call('POST', `${own}/redeliver`, since);
      },
      422: async (server) =>
        server.call('POST', await redeliverFailedPath(server), { since: 'yesterday' }),
    },
  },
  redeliverFailedCallbacks: {
    recipe: { path: () => redeliverCallbacksPath, body: since },
    own: {
      202: async (server) => {
        const { mock, call } = server;
        mock.receivers.set(receiver, () => new Response('', { status: 500 }));
        await generation(server);
        await mock.clock.advance('4 days');
        expect(mock.deliveries()).toMatchObject([{ status: 'failed' }]);
        mock.receivers.set(receiver, () => new Response());
        const response = await call('POST', redeliverCallbacksPath, since);
        expect(await response.clone().json()).toEqual({ count: 1 });
        await mock.settle();
        expect(mock.deliveries()).toMatchObject([{ status: 'delivered' }]);
        return response;
      },
      409: () => inProgress(() => redeliverCallbacksPath, since),
      422: ({ call }) => call('POST', redeliverCallbacksPath, { ...since, status: 'pending' }),
    },
  },
} satisfies Partial<Cases>;
