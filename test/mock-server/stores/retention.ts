import { expect } from 'vitest';
import type { MockServer, MockServerOptions } from '../../../mock-server/index.ts';

const CALLBACK = 'https://app.example/callbacks';

async function post(mock: MockServer, path: string, body?: object): Promise<{ requestId: string }> {
  const response = await mock.fetch(mock.baseUrl + path, {
    method: 'POST',
    headers: {
      'X-API-Key': mock.adminKey,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as { requestId: string };
}

const generate = (mock: MockServer, fields: object = {}) =>
  post(mock, '/api/ai/content/generate', { prompt: 'A haiku', ...fields });

async function get(mock: MockServer, path: string): Promise<Response> {
  return mock.fetch(mock.baseUrl + path, { headers: { 'X-API-Key': mock.adminKey } });
}

const isKept = async (mock: MockServer, { requestId }: { requestId: string }) =>
  (await get(mock, `/api/ai/content/generate/${requestId}`)).status === 200;

export const byCount: MockServerOptions = { clock: 'manual', retention: { count: 20 } };
export const byAge: MockServerOptions = { clock: 'manual', retention: { age: '7 days' } };

/** With `byCount`: the oldest finished generations are removed, but unfinished ones and usage stay. */
export async function expectBoundedCount(mock: MockServer): Promise<void> {
  mock.receivers.set(CALLBACK, async () => new Response());
  const waiting = await generate(mock, { prompt: '[[delay 9999s]]', webhookUrl: CALLBACK });
  const first = await generate(mock, { webhookUrl: CALLBACK });
  await mock.settle();
  for (let count = 0; count < 60; count += 1) await generate(mock);
  const last = await generate(mock);
  expect([await isKept(mock, waiting), await isKept(mock, last)]).toEqual([true, true]);
  expect(await isKept(mock, first)).toBe(false);
  expect(mock.deliveries()).toEqual([]);
  expect(mock.snapshot().state['generations']?.length).toBeLessThanOrEqual(22);
  expect(await (await get(mock, '/api/usage')).json()).toMatchObject({ requests: 62 });
}

/** With `byAge`: what finished longer ago is removed everywhere, but the month is still billed. */
export async function expectBoundedAge(mock: MockServer): Promise<void> {
  mock.receivers.set(CALLBACK, async () => new Response());
  const old = await generate(mock, { webhookUrl: CALLBACK });
  await mock.settle();
  const { used } = (await (await get(mock, '/api/usage')).json()) as { used: number };
  await mock.clock.advance('6 days');
  expect(await isKept(mock, old)).toBe(true);
  expect(mock.deliveries()).toHaveLength(1);
  await mock.clock.advance('2 days');
  expect(await isKept(mock, old)).toBe(false);
  expect(mock.deliveries()).toEqual([]);
  const week = mock.clock.now() - 7 * 86_400_000;
  for (const { at } of [...mock.events(), ...mock.requests()]) {
    expect(Date.parse(at)).toBeGreaterThanOrEqual(week);
  }
  expect(await (await get(mock, '/api/usage')).json()).toMatchObject({ used, requests: 1 });
  await mock.clock.advance('31 days');
  expect(mock.billing.list()).toMatchObject([{ amountDue: 1, status: 'open' }]);
}
