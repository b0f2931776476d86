import { readFileSync } from 'node:fs';
import { connect, createSecureServer, type Http2SecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { WebhookHandler } from 'contentgen/webhooks';
import { fastifyWebhooks, toLambdaHandler, toNodeHandler } from 'contentgen/webhooks/node';
import express, { type Express } from 'express';
import fastify, { type FastifyInstance } from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import { closeAfterwards, serve } from '../support/sockets.ts';

/** Sends a body and headers by POST. */
export type Send = (
  body: string,
  headers: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly body: unknown }>;

const json = { 'content-type': 'application/json' };

/** A `Send` to a URL. */
export const over =
  (url: string): Send =>
  async (body, headers) => {
    const response = await fetch(url, { method: 'POST', body, headers: { ...json, ...headers } });
    const text = await response.text();
    return { status: response.status, body: text && JSON.parse(text) };
  };

export async function serveExpress(mount: (app: Express) => unknown): Promise<string> {
  const app = express();
  mount(app);
  return `${await serve(app)}/hooks`;
}

export async function serveFastify(mount: (app: FastifyInstance) => unknown): Promise<string> {
  const app = fastify();
  closeAfterwards(() => app.close());
  await mount(app);
  return `${await app.listen({ port: 0, host: '127.0.0.1' })}/hooks`;
}

export const plugIn = (app: FastifyInstance, handler: WebhookHandler) =>
  app.register(fastifyWebhooks, { path: '/hooks', handler });

const pem = (name: string) =>
  readFileSync(new URL(`../mock-server/outbound/tls/${name}.pem`, import.meta.url));
const tls = { cert: pem('cert'), key: pem('key') };

/** A session with a server that speaks HTTP/2 over TLS. */
export async function openSession(server: Http2SecureServer) {
  if (!server.listening)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterwards(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  closeAfterwards(() => session.destroy());
  const begin = (headers: object) =>
    session.request({ ...headers, ':method': 'POST', ':path': '/hooks' });
  const send: Send = async (body, headers) => {
    const stream = begin(headers);
    const status = new Promise<number>((resolve) => {
      stream.once('response', ({ ':status': code }) => resolve(Number(code)));
    });
    stream.end(body);
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) text += chunk;
    return { status: await status, body: JSON.parse(text) };
  };
  return { port, begin, send };
}

/** A server for HTTP/1.1 and HTTP/2, not yet listening. */
export const secureServer = (listener: ReturnType<typeof toNodeHandler>): Http2SecureServer =>
  createSecureServer(tls, (request, response) => listener(request as never, response as never));

function koa(handler: WebhookHandler) {
  const receive = toNodeHandler(handler);
  return new Koa().use(async (context) => {
    context.respond = false;
    await receive(context.req, context.res);
  });
}

/** A REST API event (v1): several values per header. */
export const eventV1 = (body: string | null, headers: Readonly<Record<string, string>>) => {
  const multiValueHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value]]),
  );
  const event = { httpMethod: 'POST', path: '/hooks', headers, multiValueHeaders, body };
  return { ...event, isBase64Encoded: false };
};

/** An HTTP API or function URL event (v2): lower-case headers, base64 bodies. */
export const eventV2 = (body: string, headers: Readonly<Record<string, string>>) => {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const requestContext = { domainName: 'fn.example', http: { method: 'POST' } };
  return {
    ...{ version: '2.0', rawPath: '/hooks', rawQueryString: 'a=1', requestContext },
    ...{ headers: Object.fromEntries(lower), isBase64Encoded: true },
    body: Buffer.from(body).toString('base64'),
  };
};

const onLambda =
  (handler: WebhookHandler, event: typeof eventV1 | typeof eventV2): Send =>
  async (body, headers) => {
    const result = await toLambdaHandler(handler)(event(body, headers));
    return { status: result.statusCode, body: JSON.parse(result.body) };
  };

/** Every way to mount a handler, and what sends deliveries to it. */
export const mounts: Readonly<Record<string, (handler: WebhookHandler) => Promise<Send>>> = {
  'node:http': async (handler) => over(await serve(toNodeHandler(handler))),
  'node:http, in another fetch handler': async (handler) =>
    over(await serve(toNodeHandler(async (request) => handler(request)))),
  'node:http2': async (handler) => (await openSession(secureServer(toNodeHandler(handler)))).send,
  'Express, before any parser': async (handler) =>
    over(
      await serveExpress((app) => app.post('/hooks', toNodeHandler(handler)).use(express.json())),
    ),
  'Express, after express.raw': async (handler) => {
    const raw = express.raw({ type: 'application/json' });
    return over(await serveExpress((app) => app.post('/hooks', raw, toNodeHandler(handler))));
  },
  'Express, after a parser that keeps rawBody': async (handler) => {
    const verify = (request: object, _: unknown, rawBody: Buffer) =>
      void Object.assign(request, { rawBody });
    const mount = (app: Express) =>
      app.use(express.json({ verify })).post('/hooks', toNodeHandler(handler));
    return over(await serveExpress(mount));
  },
  Koa: async (handler) => over(await serve(koa(handler).callback())),
  Fastify: async (handler) => over(await serveFastify((app) => plugIn(app, handler))),
  Hono: async (handler) => {
    const app = new Hono().post('/hooks', (context) => handler(context.req.raw));
    return async (body, headers) => {
      const response = await app.request('/hooks', { method: 'POST', body, headers });
      return { status: response.status, body: await response.json() };
    };
  },
  'AWS Lambda, events of version 1': async (handler) => onLambda(handler, eventV1),
  'AWS Lambda, events of version 2': async (handler) => onLambda(handler, eventV2),
};
