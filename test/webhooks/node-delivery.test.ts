import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createWebhookHandler, type WebhookHandlerOptions } from 'contentgen/webhooks';
import { toNodeHandler } from 'contentgen/webhooks/node';
import { expect, test, vi } from 'vitest';
import { delivery, now, recorder, secret, usage } from './support.ts';

const text = JSON.stringify(usage);
const bytes = Buffer.from(text);

/** Hands a request with these chunks to the handler and returns the response, if there is one. */
async function receive(
  source: Buffer[] | Readable,
  { headers, ...extra }: { headers?: object; [name: string]: unknown } = {},
  options: Partial<WebhookHandlerOptions> = {},
  state: object = {},
) {
  const stream = Array.isArray(source) ? Readable.from(source, { objectMode: false }) : source;
  const signed = Object.entries((await delivery(usage)).headers);
  const lower = Object.fromEntries(signed.map(([name, value]) => [name.toLowerCase(), value]));
  const request = Object.assign(stream, {
    method: 'POST',
    url: '/hooks',
    headers: { ...lower, ...headers },
    httpVersionMajor: 1,
    complete: true,
    ...extra,
  }) as never as IncomingMessage;
  const response = {
    headersSent: false,
    destroyed: false,
    writeHead: vi.fn(),
    end: vi.fn(),
    ...state,
  };
  const handler = createWebhookHandler({
    secret,
    now,
    logger: recorder(),
    ...options,
  });
  await toNodeHandler(handler)(request, response as never as ServerResponse);
  const [status, sent] = response.writeHead.mock.calls[0] ?? [];
  return { status, headers: sent, body: response.end.mock.calls[0]?.[0], request };
}

test.each([1, 7, bytes.length])('a body in chunks of %i bytes is joined', async (size) => {
  const pieces = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  const response = await receive(pieces, {}, { maxBodyBytes: bytes.length });
  expect(response).toMatchObject({ status: 200, body: '{"status":"ignored"}' });
  expect(response.headers).toEqual({
    'content-type': 'application/json',
    'content-length': response.body.length,
  });
});

test('a body over the cap gets a 413, and the connection closes with its unread rest', async () => {
  const endless = new Readable({ read() {} });
  endless.push(bytes);
  const response = await receive(endless, { complete: false }, { maxBodyBytes: bytes.length - 1 });
  expect([response.status, response.headers.connection]).toEqual([413, 'close']);
  expect(response.request.isPaused()).toBe(true);
});

test('a body declared over the cap is not read', async () => {
  const unread = new Readable({ read() {} });
  const headers = { 'content-length': '1048577' };
  const response = await receive(unread, { headers, complete: false });
  expect([response.status, response.headers.connection]).toEqual([413, 'close']);
  expect(response.request.readableDidRead).toBe(false);
});

test('an HTTP/2 connection stays open, because it serves other requests too', async () => {
  const unread = new Readable({ read() {} });
  const headers = { 'content-length': '1048577' };
  const http2 = { headers, complete: false, httpVersionMajor: 2 };
  expect((await receive(unread, http2)).headers).not.toHaveProperty('connection');
});

test.each([
  ['rawBody, as bytes', { rawBody: bytes, body: { parsed: true } }],
  ['rawBody, as text', { rawBody: text }],
  ['body, as bytes', { body: bytes }],
  ['body, as text', { body: text }],
])('a body that a parser kept as %s is used, up to the cap', async (_name, kept) => {
  const drained = Readable.from([]);
  expect((await receive(drained, kept)).status).toBe(200);
  expect((await receive(drained, kept, { maxBodyBytes: bytes.length })).status).toBe(200);
  expect((await receive(drained, kept, { maxBodyBytes: bytes.length - 1 })).status).toBe(413);
});

test('a stream that something else began to read gets a 500, so the sender retries', async () => {
  const begun = new Readable({ read() {} });
  begun.push(bytes);
  begun.read();
  expect((await receive(begun)).status).toBe(500);
});

test('a connection lost before the body ends gets a 400', async () => {
  const destroyed = new Readable({ read() {} });
  destroyed.destroy();
  const broken = new Readable({
    read() {
      this.destroy(new Error('reset'));
    },
  });
  const closed = new Readable({
    read() {
      this.destroy();
    },
  });
  for (const stream of [destroyed, broken, closed])
    expect(await receive(stream)).toMatchObject({ status: 400, body: '{"code":"body_not_json"}' });
});

test.each([{ headersSent: true }, { destroyed: true }])(
  'nothing is sent when the response has %o',
  async (state) => {
    expect((await receive([bytes], {}, {}, state)).status).toBeUndefined();
  },
);

test.each([
  [{ socket: { encrypted: true } }, 'https://localhost/hooks'],
  [{ socket: {} }, 'http://localhost/hooks'],
  [{ socket: undefined, originalUrl: '/app/hooks' }, 'http://localhost/app/hooks'],
  [{ headers: { host: 'app.example' } }, 'http://app.example/hooks'],
])('with %o the secret function gets %s', async (extra, url) => {
  const asked: string[] = [];
  const choose: WebhookHandlerOptions['secret'] = (facts) => {
    asked.push(facts.url);
    return secret;
  };
  expect((await receive([bytes], extra, { secret: choose })).status).toBe(200);
  expect(asked).toEqual([url]);
});
