import { expect, test } from 'vitest';
import { contractServer } from './operations/contract-server.ts';
import { generation } from './operations/fixtures.ts';

const path = '/api/webhooks/deliveries/redeliver';
const body = { since: '2026-01-01T00:00:00.000Z' };
const receiver = 'https://app.example/cb';

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
