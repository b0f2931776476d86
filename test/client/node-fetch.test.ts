import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ContentGen } from 'contentgen';
import { nodeFetch } from 'contentgen/node';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const transports = { fetch: globalThis.fetch, nodeFetch: nodeFetch({ proxy: false }) };

describe.each(['fetch', 'nodeFetch'] as const)('%s', (name) => {
  const send = transports[name];
  let handle: Handle = (_, response) => response.end();
  let url: string;
  let sockets = 0;
  const server = createServer((request, response) => handle(request, response));
  server.on('connection', () => {
    sockets += 1;
  });
  beforeAll(async () => {
    url = `http://127.0.0.1:${await listen(server)}/path?q=1`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    if (name === 'nodeFetch') await transports.nodeFetch.close();
  });

  const echo: Handle = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url: path, headers } = request;
      const body = Buffer.concat(chunks).toString();
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ method, path, type: headers['content-type'], x: headers['x-a'], body }),
      );
    });
  };

  test.each([
    ['a string', 'héllo', 'text/plain;charset=UTF-8'],
    ['bytes', new Uint8Array([104, 105]), undefined],
    ['a blob', new Blob(['hi'], { type: 'a/b' }), 'a/b'],
    [
      'parameters',
      new URLSearchParams({ a: 'b' }),
      'application/x-www-form-urlencoded;charset=UTF-8',
    ],
  ])('sends %s', async (_, body, type) => {
    handle = echo;
    const echoed = (await (
      await send(url, { method: 'post', body, headers: { 'X-A': '1' } })
    ).json()) as { type?: string; body: string };
    expect(echoed).toMatchObject({ method: 'POST', path: '/path?q=1', x: '1' });
    expect(echoed.type).toBe(type);
    expect(echoed.body).toBe(await new Response(body).text());
  });

  test.each([
    [
      'pairs',
      [
        ['X-A', '1'],
        ['x-a', '2'],
      ] as [string, string][],
      '1, 2',
    ],
    ['Headers', new Headers({ 'X-A': '1' }), '1'],
  ])('accepts headers as %s', async (_, headers, x) => {
    handle = echo;
    expect(await (await send(url, { headers })).json()).toMatchObject({ x, method: 'GET' });
  });

  test('accepts a Request and a URL', async () => {
    handle = echo;
    const request = new Request(url, {
      method: 'PUT',
      body: 'b',
      headers: { 'content-type': 'a/b' },
    });
    expect(await (await send(request)).json()).toMatchObject({
      method: 'PUT',
      type: 'a/b',
      body: 'b',
    });
    expect(await (await send(new URL(url))).json()).toMatchObject({
      method: 'GET',
      path: '/path?q=1',
    });
  });

  test('returns the status, headers and URL of a response', async () => {
    handle = (_, response) => {
      response.writeHead(418, 'Teapot', { 'x-b': '1', 'set-cookie': ['a=1', 'b=2'] });
      response.end('short and stout');
    };
    const response = await send(url);
    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({
      status: 418,
      statusText: 'Teapot',
      ok: false,
      url,
      redirected: false,
      bodyUsed: false,
    });
    expect(response.headers.get('X-B')).toBe('1');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    const copy = response.clone();
    expect(await response.text()).toBe('short and stout');
    expect(response.bodyUsed).toBe(true);
    await expect(response.text()).rejects.toThrow(TypeError);
    expect(Buffer.from(await copy.arrayBuffer()).toString()).toBe('short and stout');
  });

  test('a body can be read once, in any of the usual ways', async () => {
    handle = (_, response) => response.end('{"a":1}');
    expect(await (await send(url)).json()).toEqual({ a: 1 });
    expect((await (await send(url)).blob()).size).toBe(7);
    expect(Buffer.from(await (await send(url)).bytes()).toString()).toBe('{"a":1}');
    const used = await send(url);
    await used.json();
    await expect(used.arrayBuffer()).rejects.toThrow(TypeError);
    let text = '';
    for await (const chunk of (await send(url)).body ?? []) text += Buffer.from(chunk).toString();
    expect(text).toBe('{"a":1}');
  });

  test('204 and HEAD have no body', async () => {
    handle = (request, response) => {
      response.statusCode = request.method === 'HEAD' ? 200 : 204;
      response.end();
    };
    expect((await send(url)).body).toBeNull();
    expect(await (await send(url, { method: 'HEAD' })).text()).toBe('');
  });

  test('a body arrives in chunks, and the socket waits for the reader', async () => {
    let written = 0;
    const total = 64 * 1024 * 1024;
    handle = (_, response) => {
      const piece = Buffer.alloc(256 * 1024);
      const write = () => {
        while (written < total) {
          written += piece.length;
          if (!response.write(piece)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    };
    const response = await send(url);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(written).toBeLessThan(total / 2);
    let read = 0;
    for await (const chunk of response.body ?? []) read += chunk.byteLength;
    expect(read).toBe(total);
  });

  test('an aborted signal rejects at once with its reason', async () => {
    const reason = new Error('mine');
    await expect(send(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('the signal ends a call that waits for its headers', async () => {
    let closed = false;
    handle = (request) => {
      request.socket.on('close', () => {
        closed = true;
      });
    };
    const controller = new AbortController();
    const call = send(url, { signal: controller.signal }).catch((error: unknown) => error);
    await turns();
    controller.abort();
    expect(await call).toMatchObject({ name: 'AbortError' });
    await vi.waitFor(() => expect(closed).toBe(true), 10_000);
  });

  test('the signal ends a body, and its reader gets the reason', async () => {
    handle = (_, response) => {
      response.write('a');
    };
    const controller = new AbortController();
    const response = await send(url, { signal: controller.signal });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    const next = reader.read().catch((error: unknown) => error);
    const reason = new Error('mine');
    controller.abort(reason);
    expect(await next).toBe(reason);
  });

  test('canceling the body closes the connection', async () => {
    let closed = false;
    handle = (request, response) => {
      request.socket.on('close', () => {
        closed = true;
      });
      response.write('a');
    };
    const response = await send(url);
    await response.body?.cancel();
    await vi.waitFor(() => expect(closed).toBe(true), 10_000);
  });

  test('a refused connection and a lost response are a TypeError with a cause', async () => {
    const free = createServer();
    const port = await listen(free);
    await new Promise((resolve) => free.close(resolve));
    const refused = await send(`http://127.0.0.1:${port}`).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TypeError);
    expect((refused as { cause: { code: string } }).cause.code).toBe('ECONNREFUSED');
    handle = (request) => request.socket.destroy();
    await expect(send(url)).rejects.toThrow(TypeError);
    handle = (_, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('abc', () => response.destroy());
    };
    const broken = await send(url);
    await expect(broken.text()).rejects.toThrow(TypeError);
  });

  test("redirect: 'manual' returns a redirect", async () => {
    handle = (_, response) => {
      response.writeHead(307, { location: 'https://elsewhere.example' });
      response.end();
    };
    const response = await send(url, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([
      307,
      'https://elsewhere.example',
    ]);
    await expect(send(url, { redirect: 'error' })).rejects.toThrow(TypeError);
  });

  test('rejects anything but an http or https URL', async () => {
    await expect(send('ftp://a.example')).rejects.toThrow(TypeError);
    await expect(send('http://u:p@a.example')).rejects.toThrow(TypeError);
    await expect(send('nonsense')).rejects.toThrow(TypeError);
  });

  test('reuses its connections', async () => {
    handle = (_, response) => response.end('x');
    await (await send(url)).text();
    const before = sockets;
    for (let call = 0; call < 5; call += 1) await (await send(url)).text();
    expect(sockets - before).toBeLessThanOrEqual(1);
  });
});

test('a response that has fully arrived is read without creating a stream', async () => {
  const response = new Response(JSON.stringify({ used: 1 }));
  const stream = vi.fn(() => null);
  Object.defineProperty(response, Symbol.for('contentgen.complete'), { value: true });
  Object.defineProperty(response, 'body', { get: stream });
  const client = new ContentGen({
    baseUrl: 'https://api.example.com',
    apiKey: 'key',
    fetch: async () => response,
    dangerouslyAllowBrowser: true,
  });
  expect((await client.usage.get()).used).toBe(1);
  expect(stream).not.toHaveBeenCalled();
});
