import { readFileSync } from 'node:fs';
import {
  type ClientHttp2Session,
  connect,
  constants,
  createSecureServer,
  type Http2SecureServer,
} from 'node:http2';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fastifyWebhooks, toNodeHandler } from 'contentgen/webhooks/node';
import fastify from 'fastify';
import Koa from 'koa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callback, make } from './node-support.ts';
import { delivery, secret, usage } from './support.ts';

const pem = (name: string) =>
  readFileSync(new URL(`../mock-server/outbound/tls/${name}.pem`, import.meta.url));
const tls = { cert: pem('cert'), key: pem('key'), allowHTTP1: true };

describe('over HTTP/2 with TLS', () => {
  test('toNodeHandler handles a delivery once and rejects a changed one, next to HTTP/1.1', async () => {
    const urls: string[] = [];
    const choose = ({ url }: { url: string }) => {
      urls.push(url);
      return secret;
    };
    const listener = toNodeHandler(make({ secret: choose }));
    const { port } = await serve(
      createSecureServer(
        tls,
        (asked, response) => void listener(asked as never, response as never),
      ),
    );
    await expectReceiverOverHttp2(port);
    expect(await postOverHttp1(port)).toBe(200);
    expect(new Set(urls)).toEqual(new Set([`https://127.0.0.1:${port}/hooks`]));
  });

  test('Koa serves it through ctx.req and ctx.res', async () => {
    const app = new Koa();
    const listener = toNodeHandler(make());
    app.use(async ({ req, res, ...context }) => {
      Object.assign(context, { respond: false });
      await listener(req, res);
    });
    const { port } = await serve(createSecureServer(tls, app.callback() as never));
    await expectReceiverOverHttp2(port);
  });

  test('the Fastify plugin serves it', async () => {
    const app = fastify({ http2: true, https: tls });
    onTestFinished(() => app.close());
    await app.register(fastifyWebhooks as never, { path: '/hooks', handler: make() } as never);
    await app.listen({ port: 0, host: '127.0.0.1' });
    await expectReceiverOverHttp2((app.server.address() as AddressInfo).port);
  });

  test("a stream that its sender cancels runs no callback, and the connection's other streams continue", async () => {
    const listener = toNodeHandler(make());
    const ended: Promise<void>[] = [];
    const server = createSecureServer(tls, (asked, response) => {
      ended.push(listener(asked as never, response as never));
    });
    const { port } = await serve(server);
    const session = await open(port);
    const { body, headers } = await delivery(usage);
    const canceled = session.request({ ...headers, ':method': 'POST', ':path': '/hooks' });
    canceled.on('error', () => {});
    canceled.write(body.slice(0, 5));
    await expect.poll(() => ended).toHaveLength(1);
    canceled.close(constants.NGHTTP2_CANCEL);
    await ended[0];
    expect(callback).not.toHaveBeenCalled();
    expect((await post(session, body, headers)).status).toBe(200);
    expect(callback).toHaveBeenCalledTimes(1);
  });
});

async function serve(server: Http2SecureServer): Promise<AddressInfo> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return server.address() as AddressInfo;
}

async function open(port: number): Promise<ClientHttp2Session> {
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  onTestFinished(() => session.destroy());
  await new Promise((resolve) => session.once('connect', resolve));
  return session;
}

async function post(session: ClientHttp2Session, body: string, headers: object) {
  const stream = session.request({ ...headers, ':method': 'POST', ':path': '/hooks' });
  const status = new Promise((resolve) => {
    stream.once('response', ({ ':status': code }) => resolve(code));
  });
  stream.end(body);
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk;
  return { status: await status, body: JSON.parse(text) as unknown };
}

/** Valid, duplicated and changed deliveries over one connection. */
async function expectReceiverOverHttp2(port: number): Promise<void> {
  const session = await open(port);
  const { body, headers } = await delivery(usage);
  expect((await post(session, body, headers)).status).toBe(200);
  expect(await post(session, body, headers)).toEqual({
    status: 200,
    body: { status: 'duplicate' },
  });
  expect(await post(session, `${body} `, headers)).toEqual({
    status: 400,
    body: { code: 'signature_mismatch' },
  });
  expect(callback).toHaveBeenCalledTimes(1);
}

async function postOverHttp1(port: number): Promise<number | undefined> {
  const { body, headers } = await delivery(usage);
  return new Promise((resolve, reject) => {
    const asked = request({
      port,
      host: '127.0.0.1',
      path: '/hooks',
      method: 'POST',
      headers,
      rejectUnauthorized: false,
      agent: false,
    });
    asked.once('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.once('error', reject).end(body);
  });
}
