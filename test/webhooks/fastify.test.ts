import { fastifyWebhooks, toNodeHandler } from 'contentgen/webhooks/node';
import fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { expectReceiver, make } from './node-support.ts';
import { delivery, usage } from './support.ts';
import { sendUnendingBody } from './unending-body.ts';

describe('fastifyWebhooks', () => {
  test("serves its path and keeps the application's parsers", async () => {
    const app = fastify();
    await app.register(fastifyWebhooks, { path: '/hooks', handler: make() });
    app.post('/echo', async (request) => request.body);
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    try {
      await expectReceiver(`${url}/hooks`);
      const echoed = await fetch(`${url}/echo`, {
        method: 'POST',
        body: '{"a":1}',
        headers: { 'content-type': 'application/json' },
      });
      expect(await echoed.json()).toEqual({ a: 1 });
      const { status, headers } = await fetch(`${url}/hooks`);
      expect(status).toBe(405);
      expect(headers.get('allow')).toBe('POST');
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('connection')).not.toBe('close');
      const untyped = await delivery(usage);
      const bytes = new TextEncoder().encode(untyped.body);
      const raw = await fetch(`${url}/hooks`, {
        method: 'POST',
        body: bytes,
        headers: untyped.headers,
      });
      expect(raw.status).toBe(200);
    } finally {
      await app.close();
    }
  });

  test("keeps the handler's body limit", async () => {
    const app = fastify({ bodyLimit: 10 });
    await app.register(fastifyWebhooks, { path: '/hooks', handler: make() });
    const { body, headers } = await delivery(usage);
    const given = { ...headers, 'content-type': 'application/json' };
    const fits = await app.inject({ method: 'POST', url: '/hooks', payload: body, headers: given });
    expect(fits.statusCode).toBe(200);
    await app.close();
  });

  test('works alongside a plugin that reads every body into rawBody', async () => {
    const app = fastify();
    // What fastify-raw-body does with `global: true`.
    app.addHook('preParsing', async (request, _reply, payload) => {
      const chunks: Buffer[] = [];
      payload.on('data', (chunk: Buffer) => chunks.push(chunk));
      payload.on('end', () => Object.assign(request, { rawBody: Buffer.concat(chunks) }));
      return payload;
    });
    await app.register(fastifyWebhooks, { path: '/hooks', handler: make() });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    try {
      await expectReceiver(`${url}/hooks`);
    } finally {
      await app.close();
    }
  });

  test('has a toNodeHandler for routes that keep rawBody, as in NestJS', async () => {
    const app = fastify();
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
      Object.assign(request, { rawBody: body });
      done(null, JSON.parse(String(body)));
    });
    const receive = toNodeHandler(make());
    app.post('/hooks', async (request, reply) => {
      await receive(request, reply);
      return reply;
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    try {
      await expectReceiver(`${url}/hooks`);
    } finally {
      await app.close();
    }
  });

  test('closes the connection when it leaves a body unread', async () => {
    const app = fastify();
    await app.register(fastifyWebhooks, { path: '/', handler: make({ maxBodyBytes: 10_000 }) });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    try {
      // The body ends: for an endless one, Deno's client reports the closed connection instead of the response.
      expect(await sendUnendingBody(url, 12_288)).toEqual([413, 'close']);
    } finally {
      await app.close();
    }
  });
});
