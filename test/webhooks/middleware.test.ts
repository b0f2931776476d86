import { PermanentError, type WebhookMiddleware } from 'contentgen/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { setUp } from './set-up.ts';
import { makeHandler } from './support.ts';

describe('the middleware of a handler', () => {
  test('wraps the callback, the first one outermost, with its event and context', async () => {
    const order: unknown[] = [];
    const layer =
      (name: string): WebhookMiddleware =>
      async (event, next, { attemptId }) => {
        order.push([name, event.type, typeof attemptId]);
        await next();
        order.push(`${name} out`);
      };
    const { send, callback } = setUp({ middleware: [layer('a'), layer('b')] });
    callback.mockImplementation(() => order.push('callback'));
    expect((await send()).http).toBe(200);
    expect(order).toEqual([
      ['a', 'usage_threshold', 'string'],
      ['b', 'usage_threshold', 'string'],
      'callback',
      'b out',
      'a out',
    ]);
  });

  test('runs once per handled delivery, and not without a callback', async () => {
    const middleware = [vi.fn<WebhookMiddleware>((_, next) => next())];
    const { send } = setUp({ middleware });
    expect([await send(), await send()]).toMatchObject([{ http: 200 }, { http: 200 }]);
    expect((await setUp({ middleware, on: {} }).send()).http).toBe(200);
    expect(middleware[0]).toHaveBeenCalledTimes(1);
  });

  test("the callback's error passes through it, and its own error counts as the callback's", async () => {
    const seen: unknown[] = [];
    const passing: WebhookMiddleware = (_, next) =>
      next().catch((error: unknown) => {
        seen.push(error);
        throw error;
      });
    const failures: [thrown: Error, status: number][] = [
      [new PermanentError('p'), 200],
      [new Error('e'), 500],
    ];
    for (const [thrown, status] of failures) {
      const { send, callback } = setUp({ middleware: [passing] });
      callback.mockRejectedValue(thrown);
      expect((await send()).http).toBe(status);
    }
    expect(seen).toEqual(failures.map(([thrown]) => thrown));
    expect((await setUp({ middleware: [() => Promise.reject(1)] }).send()).http).toBe(500);
  });

  test.each([null, {}, [null], ['x']])('%j is a configuration error', (middleware) => {
    expect(() => makeHandler({ middleware } as never)).toThrow('middleware');
  });
});
