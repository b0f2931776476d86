import { createServer, request as httpRequest } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { toNodeHandler } from 'contentgen/webhooks/node';
import express from 'express';
import { Hono } from 'hono';
import Koa from 'koa';
import { describe, expect, test, vi } from 'vitest';
import { serve } from '../support/sockets.ts';
import { callback, expectReceiver, make, post } from './node-support.ts';
import { delivery, recorder, secret, usage } from './support.ts';
import { sendUnendingBody } from './unending-body.ts';

describe('toNodeHandler', () => {
  test('serves node:http', async () => {
    const url = await serve(toNodeHandler(make()));
    await expectReceiver(url);
    const read = await fetch(url);
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('a server that was closed during a callback keeps no connection open', async () => {
    const server = createServer(toNodeHandler(make())).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const closed = new Promise((resolve) =>
      callback.mockImplementation(() => server.close(resolve)),
    );
    const response = await post(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
    await closed;
  });

  test('serves Express 5, before any parser', async () => {
    const app = express();
    app.post('/hooks', toNodeHandler(make()));
    app.use(express.json());
    await expectReceiver(`${await serve(app)}/hooks`);
  });

  test('serves Express after express.raw', async () => {
    const app = express();
    app.post('/hooks', express.raw({ type: 'application/json' }), toNodeHandler(make()));
    await expectReceiver(`${await serve(app)}/hooks`);
  });

  test('serves Express after a parser that keeps rawBody', async () => {
    const app = express();
    app.use(
      express.json({
        verify: (request, _response, bytes) => void Object.assign(request, { rawBody: bytes }),
      }),
    );
    app.post('/hooks', toNodeHandler(make()));
    await expectReceiver(`${await serve(app)}/hooks`);
  });

  test('after express.json responds 500 at once and names the fix', async () => {
    const logger = recorder();
    const app = express();
    app.use(express.json());
    app.post('/hooks', toNodeHandler(make({ logger })));
    const response = await post(`${await serve(app)}/hooks`);
    expect([response.status, await response.json()]).toEqual([
      500,
      { code: 'body_already_parsed' },
    ]);
    expect(callback).not.toHaveBeenCalled();
    expect(logger.lines.join()).toContain('before express.json()');
    expect(logger.lines.join()).toContain('req.rawBody = buf');
  });

  test('after a middleware that drained the stream responds 500', async () => {
    const app = express();
    app.use((request, _response, next) => void request.resume().once('end', next));
    app.post('/hooks', toNodeHandler(make()));
    expect((await post(`${await serve(app)}/hooks`)).status).toBe(500);
  });

  test('serves Koa', async () => {
    const app = new Koa();
    const handle = toNodeHandler(make());
    app.use(async (context) => {
      context.respond = false;
      await handle(context.req, context.res);
    });
    await expectReceiver(await serve(app.callback()));
  });

  test('gives the secret function the URL that Express received', async () => {
    const seen: string[] = [];
    const app = express();
    const router = express.Router();
    const handler = make({
      secret: ({ url }) => {
        seen.push(new URL(url).pathname);
        return secret;
      },
    });
    router.post('/hooks', toNodeHandler(handler));
    app.use('/tenants/7', router);
    expect((await post(`${await serve(app)}/tenants/7/hooks`)).status).toBe(200);
    expect(seen).toEqual(['/tenants/7/hooks']);
  });

  test('knows the host of an HTTP/2 request, which has no host header', async () => {
    const urls: string[] = [];
    const listener = toNodeHandler(
      make({
        secret: ({ url }) => {
          urls.push(new URL(url).host);
          return secret;
        },
      }),
    );
    const server = createHttp2Server((request, response) => {
      void listener(request as never, response as never);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { body, headers } = await delivery(usage);
    const session = connectHttp2(`http://${host}`);
    const stream = session.request({ ...headers, ':method': 'POST', ':path': '/hooks' });
    stream.end(body);
    const status = await new Promise((resolve) => {
      stream.once('response', (headers) => resolve(headers[':status']));
    });
    session.close();
    server.close();
    expect([status, urls]).toEqual([200, [host]]);
  });

  test('ends an HTTP/2 stream after a 413 or a 400, even though its body was not read', async () => {
    const listener = toNodeHandler(make({ maxBodyBytes: 1000 }));
    const server = createHttp2Server((request, response) => {
      void listener(request as never, response as never);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const { headers } = await delivery(usage);
    const send = (fields: Record<string, string>) =>
      new Promise((resolve) => {
        const stream = session.request({ ':method': 'POST', ...fields });
        let status: unknown;
        let body = '';
        stream.once('response', (received) => {
          status = received[':status'];
        });
        stream.setEncoding('utf8').on('data', (text: string) => {
          body += text;
        });
        stream.on('error', () => {});
        // Endless, and more than the receiver's window for one stream.
        stream.write(Buffer.alloc(100_000));
        stream.once('close', () => resolve([status, JSON.parse(body), stream.rstCode]));
      });
    expect(await send(headers)).toEqual([413, { code: 'body_too_large' }, 0]);
    expect(await send({})).toEqual([400, { code: 'missing_header' }, 0]);
    session.close();
    await new Promise((resolve) => server.close(resolve));
  });

  test.each([
    ['with spaces', 'a b<>'],
    ['that changes the path', 'evil/hooks?'],
    ['with credentials', 'user@host'],
    ['whose port is not a number', 'host:port'],
  ])('rejects a Host %s without repeating it or asking for the secret', async (_, host) => {
    const logger = recorder();
    const choose = vi.fn(() => secret);
    const url = new URL(await serve(toNodeHandler(make({ logger, secret: choose }))));
    const { body, headers } = await delivery(usage);
    const response = await new Promise<string>((resolve) => {
      const socket = connect(Number(url.port), url.hostname);
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      const head = ['POST /hooks HTTP/1.1', `Host: ${host}`, 'Connection: close', ...lines];
      socket.write(`${[...head, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`);
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
    });
    expect(response).toMatch(/^HTTP\/1.1 400 [\s\S]*malformed_header/);
    expect(choose).not.toHaveBeenCalled();
    expect(logger.lines.join()).not.toContain(host);
  });

  test('takes the absolute URL from a request to a proxy', async () => {
    const seen: string[] = [];
    const choose = ({ url }: { url: string }) => {
      seen.push(url);
      return secret;
    };
    const url = new URL(await serve(toNodeHandler(make({ secret: choose }))));
    const { body, headers } = await delivery(usage);
    const status = await new Promise((resolve, reject) => {
      const options = { path: 'http://app.example/hooks', method: 'POST', headers };
      const sending = httpRequest(url, options, ({ statusCode }) => resolve(statusCode));
      sending.on('error', reject).end(body);
    });
    expect([status, seen]).toEqual([200, ['http://app.example/hooks']]);
  });

  test('wraps any other fetch handler', async () => {
    const handler = make();
    const url = await serve(toNodeHandler(async (request) => handler(request)));
    await expectReceiver(url);
  });

  test.each([
    ['an invalid Host', 'POST /hooks HTTP/1.1\r\nHost: a b<>\r\nContent-Length: 0', 400],
    ['a method that fetch forbids', 'TRACE /hooks HTTP/1.1\r\nHost: a', 400],
    ['a body over the cap', 'POST /hooks HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999', 413],
  ])(
    'responds to %s without calling the fetch handler it wraps, and never rejects',
    async (_, head, status) => {
      const outcomes: Promise<void>[] = [];
      const handler = toNodeHandler(async () => new Response('reached'));
      const url = new URL(
        await serve((request, response) => outcomes.push(handler(request, response))),
      );
      const received = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(url.port), url.hostname, () =>
          socket.write(`${head}\r\n\r\n`),
        );
        socket.once('data', (data) => {
          resolve(String(data));
          socket.destroy();
        });
        socket.once('error', reject);
      });
      expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      await expect(Promise.all(outcomes)).resolves.toHaveLength(1);
    },
  );

  test('responds for a wrapped handler if it cannot build a Request', async () => {
    const handler = make();
    const app = express();
    app.use(express.json({ limit: '5mb' }));
    app.post(
      '/hooks',
      toNodeHandler(async (request) => handler(request)),
    );
    const parsed = await post(`${await serve(app)}/hooks`);
    expect([parsed.status, await parsed.json()]).toEqual([500, { code: 'body_already_parsed' }]);
    const bare = await serve(toNodeHandler(async (request) => handler(request)));
    expect((await post(bare, () => ' '.repeat(1_048_577))).status).toBe(413);
  });

  test('responds 413 to a body that grows over the cap, without reading all of it', async () => {
    const url = await serve(toNodeHandler(make({ maxBodyBytes: 10_000 })));
    expect(await sendUnendingBody(url)).toEqual([413, 'close']);
  });

  test('rejects headers that were sent twice', async () => {
    const url = new URL(await serve(toNodeHandler(make())));
    const { body, headers } = await delivery(usage);
    const id = headers['webhook-id'] as string;
    const status = await new Promise<string>((resolve) => {
      const socket = connect(Number(url.port), url.hostname);
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      const head = [
        'POST / HTTP/1.1',
        'host: x',
        'connection: close',
        `webhook-id: ${id}`,
        ...lines,
      ];
      socket.write(`${[...head, `content-length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`);
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
    });
    expect(status).toMatch(/^HTTP\/1.1 400 [\s\S]*duplicate_header/);
  });

  test('survives a sender that disconnects in the middle', async () => {
    const reports: string[] = [];
    const handler = make({ onDelivery: ({ code }) => void reports.push(code ?? '') });
    const listener = toNodeHandler(handler);
    let arrived = 0;
    const url = new URL(
      await serve((request, response) => {
        arrived += 1;
        void listener(request, response);
      }),
    );
    const socket = connect(Number(url.port), url.hostname);
    const lines = Object.entries((await delivery(usage)).headers).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const head = ['POST / HTTP/1.1', 'host: x', 'content-length: 1000', ...lines];
    socket.write(`${head.join('\r\n')}\r\n\r\n{"a":`);
    await vi.waitFor(() => expect(arrived).toBe(1), 10_000);
    socket.destroy();
    await vi.waitFor(() => expect(reports).toEqual(['body_not_json']), 10_000);
    await expectReceiver(url.href);
  });
});

describe('A fetch handler', () => {
  test('serves Hono', async () => {
    const handler = make();
    const app = new Hono().post('/hooks', (context) => handler(context.req.raw));
    const { body, headers } = await delivery(usage);
    expect((await app.request('/hooks', { method: 'POST', body, headers })).status).toBe(200);
    expect(callback).toHaveBeenCalledTimes(1);
  });
});
