import { createServer, request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { signWebhook, type WebhookHandler } from 'contentgen/webhooks';
import { toNodeHandler } from 'contentgen/webhooks/node';
import express from 'express';
import fastify from 'fastify';
import { describe, expect, test, vi } from 'vitest';
import { sendRaw } from '../support/send-raw.ts';
import { listen, serve } from '../support/sockets.ts';
import { mounts, openSession, over, plugIn, secureServer, serveFastify } from './mounts.ts';
import { setUp } from './set-up.ts';
import { at, delivery, firstCall, secret, usage } from './support.ts';

/** A handler whose secret function notes the URLs that it is asked about. */
function noting() {
  const urls: string[] = [];
  const choose = ({ url }: { url: string }) => {
    urls.push(url);
    return secret;
  };
  return { urls, ...setUp({ secret: choose }) };
}

const portOf = (url: string) => Number(new URL(url).port);

/** A signed delivery in the text of HTTP/1.1. */
async function rawDelivery(head: readonly string[], length?: number) {
  const { body, headers } = await delivery(usage);
  const signed = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const size = `Content-Length: ${length ?? body.length}`;
  return `${[...head, 'Connection: close', ...signed, size].join('\r\n')}\r\n\r\n${body}`;
}

test.each(Object.entries(mounts))(
  'on %s a delivery is handled once, and a changed one is rejected',
  async (_, mount) => {
    const { handler, callback } = setUp();
    const send = await mount(handler);
    const { body, headers } = await delivery(usage);
    expect(await send(body, headers)).toEqual({ status: 200, body: { status: 'processed' } });
    expect(await send(body, headers)).toEqual({ status: 200, body: { status: 'duplicate' } });
    const forged = await send(`${body} `, headers);
    expect(forged).toEqual({ status: 400, body: { code: 'signature_mismatch' } });
    expect(callback).toHaveBeenCalledTimes(1);
    expect(callback.mock.calls[0]?.[0]).toMatchObject({ type: 'usage_threshold', payload: usage });
  },
);

describe('An adapter for Node', () => {
  test.each<[string, (handler: WebhookHandler) => Promise<string>]>([
    ['node:http', (handler) => serve(toNodeHandler(handler))],
    ['Fastify', (handler) => serveFastify((app) => plugIn(app, handler))],
  ])('responds 405 to GET and 413 to a body that never ends: %s', async (_, open) => {
    const url = await open(setUp({ maxBodyBytes: 10_000 }).handler);
    const { status, headers } = await fetch(url);
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('connection')).not.toBe('close');
    expect(await sendUnendingBody(url)).toEqual([413, 'close']);
  });

  test('a server that was closed during a callback keeps no connection open', async () => {
    const { handler, callback } = setUp();
    const server = createServer(toNodeHandler(handler)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const closed = new Promise((resolve) =>
      callback.mockImplementation(() => server.close(resolve)),
    );
    const { body, headers } = await delivery(usage);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const response = await fetch(url, { method: 'POST', body, headers });
    expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
    await closed;
  });

  test('gives the secret function the URL that the sender used', async () => {
    const { urls, handler } = noting();
    const { body, headers } = await delivery(usage);
    const tenants = express.Router().post('/hooks', toNodeHandler(handler));
    const routed = await serve(express().use('/tenants/7', tenants));
    await over(`${routed}/tenants/7/hooks`)(body, headers);
    const plain = await serve(toNodeHandler(handler));
    await sendRaw(
      portOf(plain),
      await rawDelivery(['POST http://app.example/hooks HTTP/1.1', 'Host: a']),
    );
    // A request of HTTP/2 has no Host header.
    const secure = secureServer(toNodeHandler(handler));
    const { port, send } = await openSession(secure);
    await send(body, headers);
    expect(urls).toEqual([
      `${routed}/tenants/7/hooks`,
      'http://app.example/hooks',
      `https://127.0.0.1:${port}/hooks`,
    ]);
  });

  test.each([
    ['with spaces', 'a b<>'],
    ['that changes the path', 'evil/hooks?'],
    ['with credentials', 'user@host'],
    ['whose port is not a number', 'host:port'],
  ])('rejects a Host %s without repeating it or asking for the secret', async (_, host) => {
    const { urls, handler, logger } = noting();
    const url = await serve(toNodeHandler(handler));
    const sent = await rawDelivery(['POST /hooks HTTP/1.1', `Host: ${host}`]);
    expect(await sendRaw(portOf(url), sent)).toMatch(/^HTTP\/1.1 400 [\s\S]*malformed_header/);
    expect(urls).toEqual([]);
    expect(logger.lines.join()).not.toContain(host);
  });

  test('rejects headers that were sent twice', async () => {
    const url = await serve(toNodeHandler(setUp().handler));
    const sent = await rawDelivery(['POST / HTTP/1.1', 'Host: a', 'webhook-id: msg_1']);
    expect(await sendRaw(portOf(url), sent)).toMatch(/^HTTP\/1.1 400 [\s\S]*duplicate_header/);
  });

  test.each([
    ['an invalid Host', 'POST /hooks HTTP/1.1\r\nHost: a b<>\r\nContent-Length: 0', 400],
    ['a method that fetch forbids', 'TRACE /hooks HTTP/1.1\r\nHost: a', 400],
    ['a body over the cap', 'POST /hooks HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999', 413],
  ])(
    'responds to %s without the fetch handler it wraps, and never rejects',
    async (_, head, status) => {
      const outcomes: Promise<void>[] = [];
      const wrapped = vi.fn(async () => new Response('reached'));
      const receive = toNodeHandler(wrapped);
      const url = await serve((request, response) => outcomes.push(receive(request, response)));
      const response = await sendRaw(portOf(url), `${head}\r\nConnection: close\r\n\r\n`);
      expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      await expect(Promise.all(outcomes)).resolves.toHaveLength(1);
      expect(wrapped).not.toHaveBeenCalled();
    },
  );

  test('survives a sender that disconnects in the middle', async () => {
    const reports: (string | undefined)[] = [];
    const { handler } = setUp({ onDelivery: ({ code }) => void reports.push(code) });
    const url = await serve(toNodeHandler(handler));
    const { body, headers } = await delivery(usage);
    const sending = httpRequest(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': 1000 },
    });
    sending.on('error', () => {}).write('{"a":', () => setImmediate(() => sending.destroy()));
    await vi.waitFor(() => expect(reports).toEqual(['body_not_json']), 10_000);
    expect((await over(url)(body, headers)).status).toBe(200);
  });

  test.each<[string, (handler: WebhookHandler) => Promise<number>]>([
    ['node:http', (handler) => listen(createServer({ requestTimeout: 0 }, toNodeHandler(handler)))],
    ['Fastify', async (handler) => portOf(await serveFastify((app) => plugIn(app, handler)))],
  ])('rejects a body that still trickles in after 30 s, and disconnects: %s', async (_, open) => {
    const choose = vi.fn(() => secret);
    const port = await open(setUp({ secret: choose }).handler);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    let response = '';
    socket.on('data', (text) => {
      response += text;
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(await rawDelivery(['POST /hooks HTTP/1.1', 'Host: a'], 1000));
    await firstCall(choose);
    for (const ms of [15_000, 14_999]) {
      await new Promise<unknown>((resolve) => socket.write(' ', resolve));
      await new Promise(setImmediate);
      await vi.advanceTimersByTimeAsync(ms);
    }
    expect(response).toBe('');
    await vi.advanceTimersByTimeAsync(1);
    await closed;
    expect(response).toMatch(/^HTTP\/1.1 400 [\s\S]*body_not_json/);
  });

  test('ends an HTTP/2 stream after a 413 or a 400, even though its body was not read', async () => {
    const { handler } = setUp({ maxBodyBytes: 1000 });
    const { begin } = await openSession(secureServer(toNodeHandler(handler)));
    const { headers } = await delivery(usage);
    const send = (fields: object) =>
      new Promise((resolve) => {
        const stream = begin(fields);
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
  });
});

describe('The Fastify plugin', () => {
  test("keeps the application's parsers, and reads a body of any type", async () => {
    const url = await serveFastify(async (app) => {
      await plugIn(app, setUp().handler);
      app.post('/echo', async (request) => request.body);
    });
    expect(await over(new URL('/echo', url).href)('{"a":1}', {})).toMatchObject({ body: { a: 1 } });
    const { body, headers } = await delivery(usage);
    const bytes = new TextEncoder().encode(body);
    expect((await fetch(url, { method: 'POST', body: bytes, headers })).status).toBe(200);
  });

  test("keeps the handler's body limit", async () => {
    const app = fastify({ bodyLimit: 10 });
    await plugIn(app, setUp().handler);
    const { body, headers } = await delivery(usage);
    const given = { ...headers, 'content-type': 'application/json' };
    const fits = await app.inject({ method: 'POST', url: '/hooks', payload: body, headers: given });
    expect(fits.statusCode).toBe(200);
    await app.close();
  });
});

/** Sends a signed body that never ends. Returns the status and the `connection` header. */
async function sendUnendingBody(url: string): Promise<unknown> {
  const headers: OutgoingHttpHeaders = await signWebhook({ timestamp: at, body: '', secret });
  return new Promise((resolve, reject) => {
    const sending = httpRequest(url, { method: 'POST', headers }, (response) => {
      sending.destroy();
      resolve([response.statusCode, response.headers.connection]);
    });
    sending.on('error', reject);
    const more = () => {
      if (!sending.destroyed && sending.write(Buffer.alloc(4096))) setImmediate(more);
    };
    sending.on('drain', more);
    more();
  });
}
