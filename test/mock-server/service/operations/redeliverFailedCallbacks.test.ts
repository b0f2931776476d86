import { expect, test } from 'vitest';
import { contractServer } from './contract-server.ts';
import { describeOperation } from './describe-operation.ts';
import { generation, inProgress } from './fixtures.ts';

const path = '/api/webhooks/deliveries/redeliver';
const body = { since: '2026-01-01T00:00:00.000Z' };
const receiver = 'https://app.example/cb';

describeOperation(
  'redeliverFailedCallbacks',
  { path: () => path, body },
  {
    202: async (server) => {
      const { mock, call } = server;
      mock.receivers.set(receiver, () => new Response('', { status: 500 }));
      await generation(server);
      await mock.clock.advance('4 days');
      expect(mock.deliveries()).toMatchObject([{ status: 'failed' }]);
      mock.receivers.set(receiver, () => new Response());
      const response = await call('POST', path, body);
      expect(await response.clone().json()).toEqual({ count: 1 });
      await mock.settle();
      expect(mock.deliveries()).toMatchObject([{ status: 'delivered' }]);
      return response;
    },
    400: ({ call }) => call('POST', path, {}, { raw: '{' }),
    409: () => inProgress(() => path, body),
    422: ({ call }) => call('POST', path, { ...body, status: 'pending' }),
  },
);

test('with status delivered, those are sent again that the receiver has acknowledged', async () => {
  const server = contractServer();
  const { mock, ok } = server;
  mock.receivers.set(receiver, () => new Response());
  await generation(server);
  await mock.settle();
  expect(await ok('POST', path, body)).toEqual({ count: 0 });
  expect(await ok('POST', path, { ...body, status: 'delivered' })).toEqual({ count: 1 });
  await mock.settle();
  expect(mock.deliveries()).toMatchObject([{ attempts: [{ status: 200 }, { status: 200 }] }]);
});

test("leaves out system events, and another organization's callbacks", async () => {
  const server = contractServer();
  const { mock, ok } = server;
  for (const url of [receiver, 'https://app.example/hooks'])
    mock.receivers.set(url, () => new Response('', { status: 500 }));
  await generation(server);
  const { id } = await ok<{ id: string }>('POST', '/api/webhooks', {
    event: 'invoice_paid',
    url: 'https://app.example/hooks',
  });
  await ok('POST', `/api/webhooks/${id}/test`);
  await mock.clock.advance('4 days');
  const { adminKey } = mock.createOrganization();
  expect(await ok('POST', path, body, { key: adminKey })).toEqual({ count: 0 });
  expect(await ok('POST', path, body)).toEqual({ count: 1 });
});
