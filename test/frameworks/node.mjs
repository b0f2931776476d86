import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check, expectReceiver, secret } from './claims.mjs';

/** The packed receiver behind the frameworks of `folder`, over sockets. */
export async function nodeFrameworks(folder, dist, testing) {
  const require = createRequire(join(folder, 'package.json'));
  const load = async (name) => import(pathToFileURL(require.resolve(name)).href);
  const { createWebhookHandler } = await import(pathToFileURL(join(dist, 'webhooks.js')).href);
  const node = await import(pathToFileURL(join(dist, 'webhooks/node.js')).href);
  const quiet = { warn() {}, error() {} };
  const make = () =>
    createWebhookHandler({ secret, logger: quiet, on: { generation_completed: () => {} } });
  const tools = { load, make, node };
  return check(
    [
      ['Express 4 before any parser', express(false)],
      ['Express 4 behind express.json() that keeps rawBody', express(true)],
      ['NestJS on Express', nest('@nestjs/platform-express', 'ExpressAdapter', withLimit)],
      ['NestJS on Fastify', nest('@nestjs/platform-fastify', 'FastifyAdapter')],
      ['Fastify with fastify-raw-body for every route', fastifyRawBody],
      ['Hono on Node, with the secret of the guide', hono],
    ].map(([name, start]) => [
      name,
      async () => {
        const { url, close } = await start(tools);
        try {
          await expectReceiver(testing, url);
        } finally {
          await close();
        }
      },
    ]),
  );
}

const express =
  (behindParser) =>
  async ({ load, make, node }) => {
    const { default: framework } = await load('express');
    const app = framework();
    const verify = (request, _response, bytes) => {
      request.rawBody = bytes;
    };
    if (behindParser) app.use(framework.json({ verify, limit: '1mb' }));
    app.post('/hooks', node.toNodeHandler(make()));
    return listen(createServer(app));
  };

/** As the guide says: the limit of Express is 100 kB, that of Fastify 1 MiB. */
const withLimit = (app) => app.useBodyParser('json', { limit: '1mb' });

const nest =
  (platform, adapterName, prepare = () => {}) =>
  async ({ load, make, node }) => {
    await load('reflect-metadata');
    const { Controller, Module, Post, Req, Res } = await load('@nestjs/common');
    const { NestFactory } = await load('@nestjs/core');
    const { [adapterName]: Adapter } = await load(platform);
    const receive = node.toNodeHandler(make());
    class Hooks {
      hook(request, response) {
        return receive(request, response);
      }
    }
    // What the decorators of a TypeScript file do.
    const method = Object.getOwnPropertyDescriptor(Hooks.prototype, 'hook');
    Post('hooks')(Hooks.prototype, 'hook', method);
    Req()(Hooks.prototype, 'hook', 0);
    Res()(Hooks.prototype, 'hook', 1);
    Controller()(Hooks);
    class App {}
    Module({ controllers: [Hooks] })(App);
    const app = await NestFactory.create(App, new Adapter(), { rawBody: true, logger: false });
    prepare(app);
    await app.listen(0, '127.0.0.1');
    return { url: `${await app.getUrl()}/hooks`, close: () => app.close() };
  };

async function fastifyRawBody({ load, make, node }) {
  const { default: fastify } = await load('fastify');
  const { default: rawBody } = await load('fastify-raw-body');
  const app = fastify();
  await app.register(rawBody, { global: true });
  await app.register(node.fastifyWebhooks, { path: '/hooks', handler: make() });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url: `${url}/hooks`, close: () => app.close() };
}

async function hono({ load, make }) {
  const { Hono } = await load('hono');
  const { env } = await load('hono/adapter');
  const { createAdaptorServer } = await load('@hono/node-server');
  process.env.CONTENTGEN_WEBHOOK_SECRET = secret;
  const app = new Hono();
  app.post('/hooks', (c) => {
    if (env(c).CONTENTGEN_WEBHOOK_SECRET !== secret) throw new Error('The secret is missing.');
    handler ??= make();
    return handler(c.req.raw);
  });
  let handler;
  return listen(createAdaptorServer({ fetch: app.fetch }));
}

async function listen(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${server.address().port}/hooks`, close };
}
