import { setupServer } from 'msw/node';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../mock-server/adapters/http.ts';
import { mswHandlers } from '../../mock-server/adapters/msw.ts';
import { createMockServer } from '../../mock-server/index.ts';
import { ContentGen } from '../../src/index.ts';

const path = '/api/usage';

test('after close, fetch fails as it does where no server is, and says why', async () => {
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

test('a client takes it for a connection that failed', async () => {
  const mock = createMockServer({ clock: 'manual' });
  const { baseUrl, fetch, adminKey: apiKey } = mock;
  const client = new ContentGen({ baseUrl, fetch, apiKey, maxRetries: 0 });
  await mock.close();
  await expect(client.usage.get()).rejects.toMatchObject({
    name: 'ConnectionError',
    cause: { code: 'mock_closed' },
  });
});

test('after close, an intercepted request fails', async () => {
  const mock = createMockServer({ clock: 'manual' });
  const server = setupServer(...mswHandlers(mock));
  server.listen();
  onTestFinished(() => server.close());
  await mock.close();
  await expect(fetch(mock.baseUrl + path)).rejects.toThrow(TypeError);
});

test('after close, a socket is hung up', async () => {
  const mock = createMockServer({ clock: 'manual' });
  const served = await serve(mock, { port: 0 });
  onTestFinished(() => served.close({ graceMs: 0 }));
  await mock.close();
  await expect(fetch(served.url + path)).rejects.toThrow(TypeError);
});

test('closing again, at once or later, does nothing', async () => {
  const mock = createMockServer();
  await Promise.all([mock.close(), mock.close()]);
  await mock.close();
});
