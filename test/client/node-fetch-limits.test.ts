import type { ServerResponse } from 'node:http';
import { nodeFetch } from 'contentgen/node';
import { Agent } from 'undici';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { serve } from './support/sockets.ts';

// One stopped clock for the file: undici keeps one timer for all its limits.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterAll(() => void vi.useRealTimers());

test.each([
  ["its own agent, without undici's limits of 300 s", () => ({ proxy: false as const }), 'late'],
  ['an agent of the caller, with its limits', () => ({ dispatcher: new Agent() }), 'failed'],
])('waits for a slow response with %s', async (_, options, expected) => {
  const responses: ServerResponse[] = [];
  const url = await serve((_, response) => void responses.push(response));
  const outcome = nodeFetch(options())(url).then(
    (response) => response.text(),
    () => 'failed',
  );
  while (responses.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(600_000);
  responses[0]?.end('late');
  expect(await outcome).toBe(expected);
});
