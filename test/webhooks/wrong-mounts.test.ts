import { toNodeHandler } from 'contentgen/webhooks/node';
import express from 'express';
import { Hono } from 'hono';
import { describe, expect, test, vi } from 'vitest';
import { callback, make, post, serve } from './node-support.ts';
import { delivery, recorder, usage } from './support.ts';

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
