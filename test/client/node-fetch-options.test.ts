import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { ContentGen } from 'contentgen';
import { nodeFetch } from 'contentgen/node';
import { MockAgent } from 'undici';
import { afterEach, describe, expect, test, vi } from 'vitest';

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

describe('nodeFetch', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

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
    const port = await listen(server);
    closing.push(
      () => server.closeAllConnections(),
      () => new Promise((resolve) => server.close(resolve)),
    );
    return { url: `http://127.0.0.1:${port}/`, most: () => most, open: () => open };
  };

  test('opens no more connections than allowed', async () => {
    const { url, most } = await target();
    const send = nodeFetch({ connections: 2, proxy: false });
    closing.unshift(() => send.close());
    await Promise.all(Array.from({ length: 20 }, async () => (await send(url)).text()));
    expect(most()).toBe(2);
  });

  test('asks for an uncompressed response, unless an option says otherwise', async () => {
    const asked: unknown[] = [];
    const server = createServer((request, response) => {
      asked.push(request.headers['accept-encoding']);
      response.end();
    });
    const port = await listen(server);
    const send = nodeFetch({ proxy: false });
    closing.push(
      () => send.close(),
      () => new Promise((resolve) => server.close(resolve)),
    );
    await send(`http://127.0.0.1:${port}/`);
    await send(`http://127.0.0.1:${port}/`, { headers: { 'Accept-Encoding': 'gzip' } });
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
    const server = createServer((_, response) => {
      response.setHeader('content-encoding', encoding);
      if (!isSplit) return void response.end(encode(text));
      response.write(encode(text).slice(0, 20), () => response.end(encode(text).slice(20)));
    });
    const port = await listen(server);
    const send = nodeFetch({ proxy: false });
    closing.push(
      () => send.close(),
      () => new Promise((resolve) => server.close(resolve)),
    );
    const baseUrl = `http://127.0.0.1:${port}`;
    const client = new ContentGen({ baseUrl, apiKey: 'k', fetch: send, maxRetries: 0 });
    for (isSplit of [false, true]) expect(await client.usage.get()).toEqual(JSON.parse(text));
  });

  test('names an encoding that it cannot decode, and what is not what it says', async () => {
    let encoding = 'pack200';
    const server = createServer((_, response) => {
      response.setHeader('content-encoding', encoding).end('{"used":1}');
    });
    const port = await listen(server);
    const send = nodeFetch({ proxy: false });
    closing.push(
      () => send.close(),
      () => new Promise((resolve) => server.close(resolve)),
    );
    const baseUrl = `http://127.0.0.1:${port}`;
    const client = new ContentGen({ baseUrl, apiKey: 'k', fetch: send, maxRetries: 0 });
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
    closing.push(() => dispatcher.close());
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
      closing.push(() => dispatcher.close());
      expect(() => nodeFetch({ dispatcher, ...options } as never)).toThrow(TypeError);
    },
  );

  test.each([null, {}, 'agent'])('%j is rejected as a dispatcher', (dispatcher) => {
    expect(() => nodeFetch({ dispatcher } as never)).toThrow('dispatcher');
  });

  test('keepAlive: false closes the connection after each response', async () => {
    const { url, open } = await target();
    const send = nodeFetch({ keepAlive: false, proxy: false });
    closing.unshift(() => send.close());
    await (await send(url)).text();
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
