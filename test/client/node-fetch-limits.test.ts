import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nodeFetch } from 'contentgen/node';
import { Agent } from 'undici';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

// One stopped clock for the file: undici keeps one timer for all its limits.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterAll(() => void vi.useRealTimers());

test.each([
  ["its own agent, without undici's limits of 300 s", () => ({ proxy: false as const }), 'late'],
  ['an agent of the caller, with its limits', () => ({ dispatcher: new Agent() }), 'failed'],
])('waits for a slow response with %s', async (_, options, expected) => {
  const responses: ServerResponse[] = [];
  const server = createServer((_, response) => responses.push(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const send = nodeFetch(options());
  const outcome = send(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`).then(
    (response) => response.text(),
    () => 'failed',
  );
  while (responses.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(600_000);
  responses[0]?.end('late');
  expect(await outcome).toBe(expected);
  server.closeAllConnections();
  server.close();
});
