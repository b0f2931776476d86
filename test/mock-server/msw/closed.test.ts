import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import { createMockServer } from '../../../mock-server/index.ts';
import { mswHandlers } from '../../../mock-server/msw/handlers.ts';
import { ContentGen } from '../../../src/index.ts';

const path = '/api/usage';

test('after close, fetch fails as if there were no server, and says why', async () => {
  const mock = createMockServer({ clock: 'manual' });
  const headers = { 'x-api-key': mock.adminKey };
  expect((await mock.fetch(mock.baseUrl + path, { headers })).status).toBe(200);
  await mock.close();
  const failure = await mock.fetch(mock.baseUrl + path, { headers }).catch((error) => error);
  expect(failure).toBeInstanceOf(TypeError);
  expect(failure).toMatchObject({
    code: 'mock_closed',
    message: 'Failed to fetch: the mock server was closed.',
  });
  expect(mock.requests()).toHaveLength(1);
});

test('a client reports it as a failed connection', async () => {
  const mock = createMockServer({ clock: 'manual' });
  const { baseUrl, fetch, adminKey: apiKey } = mock;
  const client = new ContentGen({ baseUrl, fetch, apiKey, maxRetries: 0 });
  await mock.close();
  await expect(client.usage.get()).rejects.toMatchObject({
    name: 'ConnectionError',
    cause: { code: 'mock_closed' },
  });
});

test('through a server of your own, a call fails, and a warning says why, once', async () => {
  const warnings: string[] = [];
  const onWarning = (sentence: string) => warnings.push(sentence);
  const mock = createMockServer({ clock: 'manual', onWarning });
  const server = setupServer(...mswHandlers(mock));
  server.listen();
  try {
    await mock.close();
    for (const _ of [1, 2]) await expect(fetch(mock.baseUrl + path)).rejects.toThrow(TypeError);
    expect(warnings).toEqual([expect.stringContaining('The mock server was closed')]);
  } finally {
    server.close();
  }
});

test('closing again, at the same time or later, does nothing', async () => {
  const mock = createMockServer();
  await Promise.all([mock.close(), mock.close()]);
  await mock.close();
});
