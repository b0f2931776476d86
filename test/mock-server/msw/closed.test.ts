import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import { createMockServer } from '../../../mock-server/index.ts';
import { mswHandlers } from '../../../mock-server/msw/handlers.ts';
import { ContentGen } from '../../../src/index.ts';

const path = '/api/usage';

test('after close, a client reports a failed connection, which says why', async () => {
  const mock = createMockServer({ clock: 'manual' });
  const client = new ContentGen({ ...mock.adminOptions, maxRetries: 0 });
  await client.usage.get();
  await mock.close();
  const failure = await client.usage.get().catch((error) => error);
  expect(failure).toMatchObject({
    name: 'ConnectionError',
    cause: { code: 'mock_closed', message: 'Failed to fetch: the mock server was closed.' },
  });
  expect(failure.cause).toBeInstanceOf(TypeError);
  expect(mock.requests()).toHaveLength(1);
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
