import { expect, test } from 'vitest';
import { contractServer, GENERATE } from '../service/helpers.ts';

const MEBIBYTE = 1024 * 1024;
const prompt = 'x'.repeat(MEBIBYTE - 100);

test('the request log keeps the newest lines up to its limit', async () => {
  const { call, mock } = contractServer({ retention: { lines: 3 } });
  for (const number of [1, 2, 3, 4, 5]) await call('GET', `/api/ai/content/generate/gen_${number}`);
  expect(mock.requests().map(({ path }) => path.at(-1))).toEqual(['3', '4', '5']);
});

test('a reset empties the request log', async () => {
  const { call, mock } = contractServer();
  for (let turn = 0; turn < 3; turn += 1) await call('POST', GENERATE, { prompt });
  mock.reset();
  expect(mock.requests()).toEqual([]);
  await call('POST', GENERATE, { prompt });
  expect(mock.requests()).toMatchObject([{ id: 'rql_000000000001', body: { prompt } }]);
});

test('logs and finished generations share 64 MiB: the oldest of all are dropped, and what stays is complete', async () => {
  const { call, ok, mock } = contractServer();
  const { requestId } = await ok<{ requestId: string }>('POST', GENERATE, { prompt: 'First' });
  await mock.clock.advance('1 second');
  const body = (number: number) => ({ prompt: `${number} ${prompt}` });
  for (let number = 0; number < 62; number += 1) await call('POST', GENERATE, body(number));
  expect((await call('GET', `${GENERATE}/${requestId}`)).status).toBe(200);
  expect(mock.requests()).toHaveLength(64);
  // A long address counts like a body.
  for (let turn = 0; turn < 2; turn += 1) await call('GET', `/api/usage?${'x'.repeat(MEBIBYTE)}`);
  expect((await call('GET', `${GENERATE}/${requestId}`)).status).toBe(404);
  const kept = mock.requests();
  expect(kept.length).toBeLessThan(67);
  expect(kept.reduce((sum, { bytes = 0, path }) => sum + bytes + path.length, 0)).toBeLessThan(
    64 * MEBIBYTE,
  );
  expect(kept.at(-5)?.bytes).toBe(JSON.stringify(body(61)).length);
  expect(JSON.stringify(kept.at(-5)?.body) === JSON.stringify(body(61))).toBe(true);
});
