import { expect, test } from 'vitest';
import { contractServer, GENERATE } from '../service/helpers.ts';

const MEBIBYTE = 1024 * 1024;

test('the request log keeps the newest lines up to its limit', async () => {
  const { call, mock } = contractServer({ retention: { lines: 3 } });
  for (const number of [1, 2, 3, 4, 5]) await call('GET', `/api/ai/content/generate/gen_${number}`);
  expect(mock.requests().map(({ path }) => path.at(-1))).toEqual(['3', '4', '5']);
});

test('the request log keeps the newest bodies up to its byte limit, each one complete', async () => {
  const { call, mock } = contractServer();
  const body = (number: number) => ({ prompt: 'x'.repeat(MEBIBYTE - 100), model: `m${number}` });
  await call('GET', '/api/usage');
  for (let number = 0; number < 40; number += 1) await call('POST', GENERATE, body(number));
  const kept = mock.requests();
  expect(kept).toHaveLength(32);
  expect(kept.reduce((sum, { bytes = 0 }) => sum + bytes, 0)).toBeLessThanOrEqual(32 * MEBIBYTE);
  expect(kept.at(-1)?.body).toEqual(body(39));
  await call('GET', '/api/usage');
  expect(mock.requests()).toHaveLength(33);
});

test('a reset empties the request log and its byte count', async () => {
  const { call, mock } = contractServer();
  const prompt = 'x'.repeat(MEBIBYTE - 100);
  for (let turn = 0; turn < 32; turn += 1) await call('POST', GENERATE, { prompt });
  mock.reset();
  for (let turn = 0; turn < 32; turn += 1) await call('POST', GENERATE, { prompt });
  expect(mock.requests()).toHaveLength(32);
});

test('a very long address counts towards the byte limit', async () => {
  const { call, mock } = contractServer();
  for (let turn = 0; turn < 40; turn += 1) {
    await call('GET', `/api/usage?${'x'.repeat(MEBIBYTE)}`);
  }
  expect(mock.requests()).toHaveLength(31);
});
