import { ContentGen } from 'contentgen';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

// Vitest 2 leaves `performance.now` real, Vitest 3 replaces it.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const clientOf = (...responses) =>
  new ContentGen({
    baseUrl: 'https://api.example.com',
    apiKey: 'cg_test_key',
    logLevel: 'off',
    fetch: async () => responses.shift(),
  });

/** Whether the promise has settled when so many seconds have passed. */
async function isSettledAfter(seconds, promise) {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  promise.then(settle, settle);
  for (let second = 0; second < seconds; second += 1) await vi.advanceTimersByTimeAsync(1000);
  return isSettled;
}

test('a call waits for Retry-After, no longer and no shorter', async () => {
  const busy = new Response('', { status: 503, headers: { 'retry-after': '30' } });
  const call = clientOf(busy, Response.json({ used: 1 })).usage.get();
  expect(await isSettledAfter(29, call)).toBe(false);
  expect(await isSettledAfter(2, call)).toBe(true);
  expect(await call).toEqual({ used: 1 });
});

test('a body that stalls runs into idleTimeout', async () => {
  const headers = { 'content-type': 'application/json' };
  const client = clientOf(new Response(new ReadableStream({}), { headers }));
  const call = client.withOptions({ maxRetries: 0, idleTimeout: 30_000 }).usage.get();
  expect(await isSettledAfter(29, call)).toBe(false);
  expect(await isSettledAfter(2, call)).toBe(true);
  await expect(call).rejects.toMatchObject({ code: 'idle_timeout' });
});
