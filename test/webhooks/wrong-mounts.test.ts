import { verifyWebhook } from 'contentgen/webhooks';
import { toNodeHandler } from 'contentgen/webhooks/node';
import express from 'express';
import { Hono } from 'hono';
import { describe, expect, test, vi } from 'vitest';
import { serve } from '../support/sockets.ts';
import { callback, make, post } from './node-support.ts';
import { delivery, recorder, secret, usage } from './support.ts';

describe('A handler that is mounted wrongly', () => {
  test('passed to Express as it is responds 500 and names the adapter', async () => {
    const logger = recorder();
    const app = express();
    app.post('/hooks', make({ logger }) as never);
    const response = await post(`${await serve(app)}/hooks`);
    expect(response.status).toBe(500);
    expect(logger.lines.join()).toContain('use toNodeHandler(handler)');
    expect(callback).not.toHaveBeenCalled();
  });

  test('passed to Hono as it is responds 500 and names the Request', async () => {
    const logger = recorder();
    const app = new Hono().post('/hooks', make({ logger }) as never);
    const { body, headers } = await delivery(usage);
    expect((await app.request('/hooks', { method: 'POST', body, headers })).status).toBe(500);
    expect(logger.lines.join()).toContain('handler(c.req.raw)');
  });

  test("verifyWebhook names what to pass in place of a framework's request", async () => {
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

  test('responds 500 if the function around the handler throws, and the process goes on', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const url = await serve(
      toNodeHandler(async () => {
        throw new Error('no tenant');
      }),
    );
    const response = await fetch(url, { method: 'POST', body: '{}' });
    expect([response.status, await response.json()]).toEqual([500, { code: 'handler_failed' }]);
    expect(String(log.mock.lastCall?.[1])).toContain('no tenant');
    log.mockRestore();
  });
});
