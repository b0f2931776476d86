import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { WebhookHandlerOptions } from 'contentgen/webhooks';
import { toNodeHandler } from 'contentgen/webhooks/node';
import { expect, test, vi } from 'vitest';
import { delivery, makeHandler, usage } from './support.ts';

const text = JSON.stringify(usage);
const bytes = Buffer.from(text);

/** Hands a request with these chunks to the handler and returns the response, if there is one. */
async function receive(
  source: Buffer[] | Readable,
  extra: object = {},
  options: Partial<WebhookHandlerOptions> = {},
  state: object = {},
) {
  const stream = Array.isArray(source) ? Readable.from(source, { objectMode: false }) : source;
  const signed = Object.entries((await delivery(usage)).headers);
  const lower = Object.fromEntries(signed.map(([name, value]) => [name.toLowerCase(), value]));
  const request = Object.assign(stream, {
    method: 'POST',
    url: '/hooks',
    headers: lower,
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
  await toNodeHandler(makeHandler(options))(request, response as never as ServerResponse);
  const [status, sent] = response.writeHead.mock.calls[0] ?? [];
  return { status, headers: sent, body: response.end.mock.calls[0]?.[0] };
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
