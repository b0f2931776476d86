import { verifyWebhook, type WebhookHandler } from 'contentgen/webhooks';
import { toNodeHandler } from 'contentgen/webhooks/node';
import express from 'express';
import { Hono } from 'hono';
import { describe, expect, test, vi } from 'vitest';
import { serve } from '../support/sockets.ts';
import { over, serveExpress } from './mounts.ts';
import { setUp } from './set-up.ts';
import { delivery, secret, usage } from './support.ts';

describe('A handler that is mounted wrongly responds 500 at once:', () => {
  type Mount = Parameters<typeof serveExpress>[0];
  const drain: express.RequestHandler = (request, _, next) =>
    void request.resume().once('end', next);
  test.each<[string, (handler: WebhookHandler) => Mount, RegExp]>([
    [
      'after express.json',
      (handler) => (app) => app.use(express.json()).post('/hooks', toNodeHandler(handler)),
      /before express\.json\(\).*req\.rawBody = buf/s,
    ],
    [
      'after a middleware that drained the stream',
      (handler) => (app) => app.use(drain).post('/hooks', toNodeHandler(handler)),
      /body was already parsed/,
    ],
    [
      'passed to Express as it is',
      (handler) => (app) => app.post('/hooks', handler as never),
      /use toNodeHandler\(handler\)/,
    ],
  ])('%s', async (_, mount, log) => {
    const { handler, callback, logger } = setUp();
    const { body, headers } = await delivery(usage);
    expect(await over(await serveExpress(mount(handler)))(body, headers)).toMatchObject({
      status: 500,
    });
    expect(callback).not.toHaveBeenCalled();
    expect(logger.lines.join()).toMatch(log);
  });

  test('passed to Hono as it is, and the log names the Request', async () => {
    const { handler, logger } = setUp();
    const app = new Hono().post('/hooks', handler as never);
    const { body, headers } = await delivery(usage);
    expect((await app.request('/hooks', { method: 'POST', body, headers })).status).toBe(500);
    expect(logger.lines.join()).toContain('handler(c.req.raw)');
  });

  test("and verifyWebhook names what to pass in place of a framework's request", async () => {
    const { body, headers } = await delivery(usage);
    const seen: unknown[] = [];
    const app = new Hono().post('/hooks', async (c) => {
      for (const given of [c, c.req, { request: c, secret }, { request: c.req, secret }])
        seen.push(await verifyWebhook(given as never).catch(String));
      return c.text(String(await verifyWebhook(c.req.raw as never).catch(String)));
    });
    const response = await app.request('/hooks', { method: 'POST', body, headers });
    expect(await response.text()).toContain('Pass { request, secret }.');
    for (const error of seen) expect(error).toContain('Pass { request: c.req.raw, secret }.');
    const node = { request: { headers: {}, url: '/', method: 'POST' }, secret };
    await expect(verifyWebhook(node as never)).rejects.toThrow('an object, not a Request');
  });

  test('if the function around it throws, and the process goes on', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const url = await serve(toNodeHandler(() => Promise.reject(new Error('no tenant'))));
    expect(await over(url)('{}', {})).toEqual({ status: 500, body: { code: 'handler_failed' } });
    expect(String(log.mock.lastCall?.[1])).toContain('no tenant');
  });
});
