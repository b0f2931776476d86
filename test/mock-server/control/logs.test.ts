import { expect, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import { contractServer, GENERATE } from '../service/helpers.ts';

const PIECE = 64 * 1024;

test('a listener gets events and requests until it is removed', async () => {
  const { mock, ok } = contractServer();
  const heard: string[] = [];
  const { onEvent, onRequest } = internalsOf(mock);
  const stops = [
    onEvent(({ type }) => heard.push(type)),
    onRequest(({ operation }) => heard.push(String(operation))),
  ];
  await ok('POST', GENERATE, { prompt: 'p' });
  expect(heard).toEqual(['generation.accepted', 'generation.completed', 'generateContent']);
  for (const stop of stops) stop();
  await ok('POST', GENERATE, { prompt: 'p' });
  expect(heard).toHaveLength(3);
});

test('the oldest lines come first, up to a limit, and contain no secrets', async () => {
  const { mock, ok } = contractServer();
  const token = 'a-token-of-sixteen';
  await ok('POST', '/api/webhooks', { event: 'data_updated', url: 'https://app.example/h', token });
  for (let turn = 0; turn < 4; turn += 1) await ok('GET', '/api/usage');
  const all = mock.requests();
  expect(all).toHaveLength(5);
  expect(mock.requests({ limit: 2 })).toEqual(all.slice(0, 2));
  expect(mock.requests({ organization: 'org_nope' })).toEqual([]);
  expect(JSON.stringify([all, mock.events()])).not.toContain(token);
  expect(all[0]).toMatchObject({ operation: 'createWebhook', body: { event: 'data_updated' } });
});

test('logs keep the newest lines up to their limit, however many came before', async () => {
  const { mock, call } = contractServer({ retention: { lines: 10 } });
  const headers = { 'x-api-key': mock.memberKey };
  for (let turn = 0; turn < 1100; turn += 1) {
    await mock.fetch(`${mock.baseUrl}/api/usage`, { headers });
  }
  for (let turn = 0; turn < 20; turn += 1) await call('POST', GENERATE, { prompt: `${turn}` });
  const bodies = mock.requests().map(({ body }) => body);
  expect(bodies).toEqual(Array.from({ length: 10 }, (_, turn) => ({ prompt: `${turn + 10}` })));
  expect(mock.events()).toHaveLength(10);
});

test('logs and finished generations share a budget of bytes: the oldest of all are dropped, and what stays is complete', async () => {
  const { call, ok, mock } = contractServer({ retention: { bytes: 64 * PIECE } });
  const { requestId } = await ok<{ requestId: string }>('POST', GENERATE, { prompt: 'First' });
  const first = async () => (await call('GET', `${GENERATE}/${requestId}`)).status;
  await mock.clock.advance('1 second');
  const body = (number: number) => ({ prompt: `${number} ${'x'.repeat(PIECE - 100)}` });
  for (let number = 0; number < 50; number += 1) await call('POST', GENERATE, body(number));
  expect(await first()).toBe(200);
  expect(mock.requests()).toHaveLength(52);
  // A long address counts like a body.
  for (let turn = 0; turn < 14; turn += 1) await call('GET', `/api/usage?${'x'.repeat(PIECE)}`);
  expect(await first()).toBe(404);
  const kept = mock.requests();
  expect(kept.length).toBeLessThan(67);
  const size = kept.reduce((sum, { bytes = 0, path }) => sum + bytes + path.length, 0);
  expect(size).toBeLessThan(64 * PIECE);
  const last = kept.findLast(({ operation }) => operation === 'generateContent');
  expect(last?.bytes).toBe(JSON.stringify(body(49)).length);
  expect(last?.body).toEqual(body(49));
});
