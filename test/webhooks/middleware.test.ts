import {
  createWebhookHandler,
  PermanentError,
  signWebhook,
  type WebhookHandlerOptions,
  type WebhookMiddleware,
} from 'contentgen/webhooks';
import { describe, expect, test } from 'vitest';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
let count = 0;

async function deliver(options: Omit<WebhookHandlerOptions, 'secret'>, id = `msg_${count++}`) {
  const handler = createWebhookHandler({ secret, logger: { warn() {}, error() {} }, ...options });
  const payload = { requestId: 'gen_1', result: 'r', model: 'm', usage: { totalTokens: 1 } };
  const send = async () => {
    const body = JSON.stringify(payload);
    const headers = await signWebhook({ id, timestamp: new Date(), body, secret });
    const request = new Request('https://app.example/', { method: 'POST', headers, body });
    return (await handler(request)).status;
  };
  return { send, status: await send() };
}

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
    const { status } = await deliver({
      on: { generation_completed: () => order.push('callback') },
      middleware: [layer('a'), layer('b')],
    });
    expect(status).toBe(200);
    expect(order).toEqual([
      ['a', 'generation_completed', 'string'],
      ['b', 'generation_completed', 'string'],
      'callback',
      'b out',
      'a out',
    ]);
  });

  test('runs once per handled delivery, and not without a callback', async () => {
    let runs = 0;
    const middleware: WebhookMiddleware[] = [
      async (_, next) => {
        runs += 1;
        await next();
      },
    ];
    const first = await deliver({ on: { generation_completed: () => {} }, middleware });
    expect([first.status, await first.send(), runs]).toEqual([200, 200, 1]);
    expect((await deliver({ middleware })).status).toBe(200);
    expect(runs).toBe(1);
  });

  test("the callback's error passes through it, and its own error counts as the callback's", async () => {
    const seen: unknown[] = [];
    const middleware: WebhookMiddleware[] = [
      async (_, next) => {
        await next().catch((error: unknown) => {
          seen.push(error);
          throw error;
        });
      },
    ];
    const failing = (error: Error) => ({
      on: {
        generation_completed: () => {
          throw error;
        },
      },
      middleware,
    });
    expect((await deliver(failing(new PermanentError('p')))).status).toBe(200);
    expect((await deliver(failing(new Error('e')))).status).toBe(500);
    expect(seen).toHaveLength(2);
    const broken = {
      on: { generation_completed: () => {} },
      middleware: [() => Promise.reject(1)],
    };
    expect((await deliver(broken)).status).toBe(500);
  });

  test.each([null, {}, [null], ['x']])('%j is a configuration error', async (middleware) => {
    const options = { secret, middleware } as never;
    expect(() => createWebhookHandler(options)).toThrow('middleware');
  });
});
