import { createServer } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { ContentGen } from 'contentgen';
import { type NodeFetchOptions, nodeFetch } from 'contentgen/node';
import { MockAgent } from 'undici';
import { describe, expect, test, vi } from 'vitest';
import { closeAfterwards, listen, serve } from './support/sockets.ts';

/** Without the proxies of this machine. */
function direct(options: NodeFetchOptions = {}) {
  const send = nodeFetch({ proxy: false, ...options });
  closeAfterwards(() => send.close());
  return send;
}

const clientOf = (baseUrl: string, fetch = direct()) =>
  new ContentGen({ baseUrl, apiKey: 'k', fetch, maxRetries: 0, logLevel: 'off' });

describe('nodeFetch', () => {
  const target = async () => {
    let open = 0;
    let most = 0;
    const server = createServer((_, response) => setImmediate(() => response.end('target')));
    server.on('connection', (socket) => {
      open += 1;
      most = Math.max(most, open);
      socket.on('close', () => {
        open -= 1;
      });
    });
    return { url: `http://127.0.0.1:${await listen(server)}/`, most: () => most, open: () => open };
  };

  test('opens no more connections than allowed', async () => {
    const { url, most } = await target();
    const send = direct({ connections: 2 });
    await Promise.all(Array.from({ length: 20 }, async () => (await send(url)).text()));
    expect(most()).toBe(2);
  });

  test('asks for an uncompressed response, unless an option says otherwise', async () => {
    const asked: unknown[] = [];
    const url = await serve((request, response) => {
      asked.push(request.headers['accept-encoding']);
      response.end();
    });
    const send = direct();
    await send(url);
    await send(url, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(asked).toEqual(['identity', 'gzip']);
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['gzip, BR', (text: string) => brotliCompressSync(gzipSync(text))],
    ['identity', (text: string) => text],
  ])('decodes a response in %s, although it asked for none', async (encoding, encode) => {
    const text = JSON.stringify({ used: 1, quota: 2, padding: 'x'.repeat(100_000) });
    let isSplit = false;
    const url = await serve((_, response) => {
      response.setHeader('content-encoding', encoding);
      if (!isSplit) return void response.end(encode(text));
      response.write(encode(text).slice(0, 20), () => response.end(encode(text).slice(20)));
    });
    const client = clientOf(url);
    for (isSplit of [false, true]) expect(await client.usage.get()).toEqual(JSON.parse(text));
  });

  test('names an encoding that it cannot decode, and what is not what it says', async () => {
    let encoding = 'pack200';
    const url = await serve((_, response) =>
      response.setHeader('content-encoding', encoding).end('{"used":1}'),
    );
    const client = clientOf(url);
    const unknown = await client.usage.get().safe();
    expect(unknown.error?.message).toContain('encoded as pack200, which nodeFetch cannot decode');
    encoding = 'gzip';
    const corrupt = await client.usage.get().safe();
    expect(corrupt.error).toMatchObject({ code: 'connection_failed', reason: 'corrupt' });
  });

  test('closes once, and later calls fail at once and without a retry', async () => {
    const { url } = await target();
    const send = nodeFetch({ proxy: false });
    await (await send(url)).text();
    await Promise.all([send.close(), send.close()]);
    await send.close();
    await expect(send(url)).rejects.toThrow('this nodeFetch is closed');
    const client = new ContentGen({ baseUrl: url, apiKey: 'k', fetch: send, logLevel: 'off' });
    const { error } = await client.usage.get().safe();
    expect(error).toMatchObject({ code: 'connection_failed', attempts: { length: 1 } });
    expect(error?.message).toContain('this fetch was closed');
  });

  test("sends through a dispatcher of the caller, such as undici's MockAgent", async () => {
    const dispatcher = new MockAgent();
    dispatcher.disableNetConnect();
    closeAfterwards(() => dispatcher.close());
    const pool = dispatcher.get('https://api.example.com');
    pool.intercept({ path: '/a', method: 'POST' }).reply(201, { mocked: true }).times(2);
    const send = nodeFetch({ dispatcher });
    const call = () => send('https://api.example.com/a', { method: 'POST', body: '{}' });
    const response = await call();
    expect([response.status, await response.json()]).toEqual([201, { mocked: true }]);
    await send.close();
    expect((await call()).status).toBe(201);
    await expect(send('https://other.example/')).rejects.toThrow('fetch failed');
  });

  test.each([{ connections: 1 }, { keepAlive: false }, { proxy: false }])(
    'a dispatcher cannot be combined with %j, which it already has',
    async (options) => {
      const dispatcher = new MockAgent();
      closeAfterwards(() => dispatcher.close());
      expect(() => nodeFetch({ dispatcher, ...options } as never)).toThrow(TypeError);
    },
  );

  test.each([null, {}, 'agent'])('%j is rejected as a dispatcher', (dispatcher) => {
    expect(() => nodeFetch({ dispatcher } as never)).toThrow('dispatcher');
  });

  test('keepAlive: false closes the connection after each response', async () => {
    const { url, open } = await target();
    await (await direct({ keepAlive: false })(url)).text();
    await vi.waitFor(() => expect(open()).toBe(0), 10_000);
  });

  test.each([
    { connections: 0 },
    { connections: Number.NaN },
    { connections: 1.5 },
    { keepAlive: 0 },
    { keepAlive: Number.NaN },
    { keepAlive: true },
    { proxy: '' },
    { proxy: 'nonsense' },
    { proxy: 'a b:1' },
    { proxy: true },
    { pipelining: 2 },
  ])('rejects the options %j', (options) => {
    expect(() => nodeFetch(options as never)).toThrow(TypeError);
  });
});
