import { expect, test } from 'vitest';
import { contractServer, inbox, rejection } from './helpers.ts';

const HOOKS = '/api/webhooks';
const url = 'https://app.example/hooks';
const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

interface Hook {
  id: string;
  secret: string;
}

test.each([24, 25, 26, 32, 64])('a custom secret of %d bytes is used as it is', async (bytes) => {
  const { ok } = contractServer();
  const secret = secretOf(bytes);
  expect(await ok('POST', HOOKS, { event: 'data_updated', url, secret })).toMatchObject({
    secret,
  });
});

test.each([
  secretOf(23),
  secretOf(65),
  `whsk_${'A'.repeat(32)}`,
  'A'.repeat(32),
  `whsec_${'A'.repeat(33)}B==`,
  `${secretOf(32)}\n`,
  `whsec_${'-'.repeat(32)}`,
])('a secret that no receiver can read is rejected: %s', async (secret) => {
  const { call } = contractServer();
  const response = await call('POST', HOOKS, { event: 'data_updated', url, secret });
  expect(await response.clone().json()).toMatchObject({ errors: [{ pointer: '/secret' }] });
  expect(await rejection(response)).toEqual([422, 'validation_failed']);
});

test('only a usage_threshold registration has a threshold', async () => {
  const { call, ok } = contractServer();
  const body = { event: 'data_updated', url, threshold: 0.5 };
  expect(await rejection(await call('POST', HOOKS, body))).toEqual([422, 'validation_failed']);
  const { id } = await ok<Hook>('POST', HOOKS, { event: 'data_updated', url });
  const change = await call('PATCH', `${HOOKS}/${id}`, { threshold: 0.5 });
  expect((await change.json()).errors).toMatchObject([{ pointer: '/threshold', code: 'conflict' }]);
});

test('a disabled registration gets no deliveries and shows the reason until it is enabled', async () => {
  const on = contractServer();
  const { ok, mock } = on;
  const received = inbox(on, url);
  const { id } = await ok<Hook>('POST', HOOKS, { event: 'data_updated', url });
  mock.trigger('data_updated');
  expect(await ok('PATCH', `${HOOKS}/${id}`, { status: 'disabled' })).toMatchObject({
    disabledReason: 'requested',
  });
  await mock.settle();
  mock.trigger('data_updated');
  await mock.settle();
  expect(received).toEqual([]);
  expect(mock.deliveries()).toMatchObject([{ status: 'canceled' }]);
  const enabled = await ok('PATCH', `${HOOKS}/${id}`, { status: 'enabled' });
  expect(enabled).not.toHaveProperty('disabledReason');
  mock.trigger('data_updated');
  await mock.settle();
  expect(received).toHaveLength(1);
});
