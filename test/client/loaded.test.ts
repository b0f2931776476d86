import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.doUnmock('../../src/resources/wait-for-generation.ts');
  vi.doUnmock('../../src/resources/read-generation.ts');
  vi.doUnmock('../../src/core/http-client.ts');
  vi.doUnmock('../../src/core/log.ts');
  vi.resetModules();
});

const gone = () => {
  throw new Error('no such file');
};

test('a part that is gone when it is first used is a typed error', async () => {
  vi.resetModules();
  vi.doMock('../../src/resources/wait-for-generation.ts', gone);
  vi.doMock('../../src/resources/read-generation.ts', gone);
  vi.doMock('../../src/core/http-client.ts', gone);
  const { ContentGen } = await import('../../src/index.ts');
  const client = new ContentGen({
    baseUrl: 'https://api.example.com',
    apiKey: 'cg_test_key',
    fetch: () => Promise.reject(new Error('nothing is sent')),
  });
  const error = { name: 'ConnectionError', code: 'connection_failed', cause: expect.any(Error) };
  await expect(client.content.resume({ requestId: 'gen_1' }).wait()).rejects.toMatchObject(error);
  await expect(client.content.stream({ prompt: 'p' }).final()).rejects.toMatchObject(error);
  await expect(client.http.GET('/api/usage')).rejects.toMatchObject(error);
});

test('a log that is gone loses its lines and no call', async () => {
  vi.resetModules();
  vi.doMock('../../src/core/log.ts', gone);
  const { ContentGen } = await import('../../src/index.ts');
  const debug = vi.fn();
  const client = new ContentGen({
    baseUrl: 'https://api.example.com',
    apiKey: 'cg_test_key',
    logLevel: 'debug',
    logger: { debug, info: debug, warn: debug, error: debug },
    fetch: async () => Response.json({ used: 1 }, { headers: { deprecation: '@1767225600' } }),
  });
  expect(await client.usage.get()).toEqual({ used: 1 });
  expect(debug).not.toHaveBeenCalled();
});
