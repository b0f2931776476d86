import {
  createWebhookHandler,
  type Dedupe,
  type DeliveryReport,
  memoryDedupe,
  PermanentError,
  plainHmac,
  type WebhookHandler,
  type WebhookHandlerOptions,
} from 'contentgen/webhooks';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  at,
  completed,
  failed,
  now,
  otherSecret,
  recorder,
  request,
  secret,
  usage,
} from './support.ts';

afterEach(() => vi.useRealTimers());

const make = (options: Partial<WebhookHandlerOptions> = {}) =>
  createWebhookHandler({ secret, now, diagnose: false, logger: recorder(), ...options });

async function answer(pending: Promise<Response>) {
  const response = await pending;
  return { http: response.status, ...((await response.json()) as object) };
}

/** A callback that waits until it is told to end. */
function gate() {
  let open = () => {};
  let fail = (_error: Error) => {};
  const entered = Promise.withResolvers<void>();
  const held = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  held.catch(() => {});
  return {
    entered: entered.promise,
    open: () => open(),
    fail: (error: Error) => fail(error),
    callback: () => {
      entered.resolve();
      return held;
    },
  };
}

describe('A delivery', () => {
  test('reaches the callback of its type, typed, and is answered 200', async () => {
    const seen: unknown[] = [];
    const handler = make({
      on: {
        usage_threshold: (event) => seen.push([event.type, event.payload.threshold]),
        generation_completed: (event) => seen.push([event.type, event.payload.result]),
        generation_failed: (event) => seen.push([event.type, event.payload.error.code]),
      },
    });
    for (const [id, payload] of [
      ['msg_1', usage],
      ['msg_2', completed],
      ['msg_3', failed],
    ] as const)
      expect(await answer(handler(await request(payload, { id })))).toMatchObject({ http: 200 });
    expect(seen).toEqual([
      ['usage_threshold', 900],
      ['generation_completed', 'A haiku'],
      ['generation_failed', 'model_failed'],
    ]);
  });

  test('of a later type goes to onOther, or is acknowledged without one', async () => {
    const onOther = vi.fn();
    const later = { event: 'constructor', extra: 1 };
    expect((await make({ onOther })(await request(later))).status).toBe(200);
    expect(onOther.mock.calls[0]?.[0]).toMatchObject({ type: 'constructor', payload: later });
    expect(await answer(make()(await request(later)))).toMatchObject({ status: 'ignored' });
  });

  test('of a known type without callback is acknowledged and not given to onOther', async () => {
    const onOther = vi.fn();
    expect((await make({ onOther })(await request(usage))).status).toBe(200);
    expect(onOther).not.toHaveBeenCalled();
  });

  test.each(['GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])(
    'by %s is 405 with Allow',
    async (method) => {
      const response = await make()(new Request('https://app.example', { method }));
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
    },
  );

  test('that is forged is 400 with a code alone', async () => {
    const response = await make()(await request(usage, { secret: otherSecret }));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ code: 'signature_mismatch' });
  });

  test('that is compressed is 415, one over the cap 413', async () => {
    const packed = await request(usage, {}, { headers: { 'content-encoding': 'gzip' } });
    expect(await answer(make()(packed))).toMatchObject({ code: 'unsupported_encoding' });
    const handler = make({ maxBodyBytes: 50 });
    expect((await handler(await request(usage))).status).toBe(413);
    const declared = await request(usage, {}, { headers: { 'content-length': '99999999' } });
    expect((await make()(declared)).status).toBe(413);
  });

  test('that a framework has parsed is 500, and the log names the fix', async () => {
    const logger = recorder();
    const callback = vi.fn();
    const read = await request(usage);
    await read.text();
    const response = await make({ logger, on: { usage_threshold: callback } })(read);
    expect(response.status).toBe(500);
    expect(callback).not.toHaveBeenCalled();
    expect(logger.lines.join()).toContain('express.json()');
  });
});

describe('A callback', () => {
  test('that throws is answered 500 and tried again', async () => {
    let calls = 0;
    const handler = make({
      on: {
        usage_threshold: () => {
          calls += 1;
          if (calls === 1) throw new Error('database away');
        },
      },
    });
    expect((await handler(await request(usage))).status).toBe(500);
    expect((await handler(await request(usage))).status).toBe(200);
    expect((await handler(await request(usage))).status).toBe(200);
    expect(calls).toBe(2);
  });

  test('that throws a PermanentError is acknowledged and never called again', async () => {
    const callback = vi.fn(() => {
      throw new PermanentError('no such order');
    });
    const handler = make({ on: { usage_threshold: callback } });
    expect((await handler(await request(usage))).status).toBe(200);
    expect((await handler(await request(usage))).status).toBe(200);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  test('gets an attempt id, a signal, and no commitWith without a database', async () => {
    const logger = recorder();
    const handler = make({
      logger,
      on: {
        usage_threshold: async (_event, context) => {
          expect(context.attemptId).toMatch(/^[0-9a-f-]{36}$/);
          expect(context.signal.aborted).toBe(false);
          await context.commitWith(async () => ({ rows: [] }));
        },
      },
    });
    expect((await handler(await request(usage))).status).toBe(500);
    expect(logger.lines.join()).toContain('postgresDedupe');
  });
});

describe('A duplicate', () => {
  test('of a done delivery is 200 without a call, whatever its signature’s time', async () => {
    const callback = vi.fn();
    const handler = make({ on: { usage_threshold: callback } });
    await handler(await request(usage));
    const again = handler(await request(usage, { timestamp: at + 200 }));
    expect(await answer(again)).toEqual({ http: 200, status: 'duplicate' });
    expect(callback).toHaveBeenCalledTimes(1);
  });

  test('of one in flight is 503 with Retry-After, and 200 once that is done', async () => {
    const { callback, entered, open } = gate();
    const handler = make({ on: { usage_threshold: callback } });
    const first = handler(await request(usage));
    await entered;
    const second = await handler(await request(usage));
    expect(second.status).toBe(503);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    open();
    expect((await first).status).toBe(200);
    expect(await answer(handler(await request(usage)))).toMatchObject({ status: 'duplicate' });
  });

  test('under a scheme that signs no id is known by its body, however its id is forged', async () => {
    const scheme = plainHmac();
    const callback = vi.fn();
    const handler = make({ scheme, on: { usage_threshold: callback } });
    await handler(await request(usage, { scheme, id: 'msg_1' }));
    await handler(await request(usage, { scheme, id: 'msg_2' }));
    expect(callback).toHaveBeenCalledTimes(1);
  });

  test('is told apart by dedupeKey where tenants share ids', async () => {
    const callback = vi.fn();
    const handler = make({
      on: { usage_threshold: callback },
      dedupeKey: (event, { url }) => `${new URL(url).pathname} ${event.id}`,
    });
    await handler(await request(usage, {}, { url: 'https://app.example/a' }));
    await handler(await request(usage, {}, { url: 'https://app.example/b' }));
    await handler(await request(usage, {}, { url: 'https://app.example/b' }));
    expect(callback).toHaveBeenCalledTimes(2);
  });
});

describe('The lease', () => {
  test('is renewed while the callback runs', async () => {
    vi.useFakeTimers({ now: at * 1000 });
    const { callback, entered, open } = gate();
    const dedupe = memoryDedupe({ leaseMs: 60_000 });
    const handler = make({
      now: Date.now,
      tolerance: 1e6,
      dedupe,
      on: { usage_threshold: callback },
    });
    const first = handler(await request(usage));
    await entered;
    await vi.advanceTimersByTimeAsync(300_000);
    expect((await handler(await request(usage))).status).toBe(503);
    open();
    expect((await first).status).toBe(200);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('that is lost aborts the signal of the callback', async () => {
    vi.useFakeTimers({ now: at * 1000 });
    const inner = memoryDedupe();
    const dedupe: Dedupe = { ...inner, renew: async () => false };
    let reason: unknown;
    const handler = make({
      dedupe,
      on: {
        usage_threshold: (_event, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              reason = signal.reason;
              reject(signal.reason);
            });
          }),
      },
    });
    const pending = handler(await request(usage));
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await pending).status).toBe(503);
    expect(reason).toMatchObject({ code: 'webhook_lease_lost' });
  });
});

describe('A dedupe store out of order', () => {
  const broken = (part: keyof Dedupe): Dedupe => ({
    ...memoryDedupe(),
    [part]: () => Promise.reject(new Error('store away')),
  });

  test('before the callback: 503, and nothing is called', async () => {
    const callback = vi.fn();
    const logger = recorder();
    const handler = make({ logger, dedupe: broken('claim'), on: { usage_threshold: callback } });
    const response = await handler(await request(usage));
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(callback).not.toHaveBeenCalled();
    expect(logger.lines.join()).toContain('store away');
  });

  test('after it: 200, for a retry would repeat the effect', async () => {
    const handler = make({ dedupe: broken('complete'), on: { usage_threshold: () => {} } });
    expect((await handler(await request(usage))).status).toBe(200);
  });

  test('after a failure: 500, as the callback said', async () => {
    const handler = make({
      dedupe: broken('release'),
      on: { usage_threshold: () => Promise.reject(new Error('no')) },
    });
    expect((await handler(await request(usage))).status).toBe(500);
  });
});

describe('The secret', () => {
  test('may be chosen by the request', async () => {
    const handler = make({
      secret: ({ url }) =>
        url.endsWith('/a') ? secret : url.endsWith('/b') ? [otherSecret] : undefined,
    });
    const to = async (path: string, key: string) =>
      (
        await handler(
          await request(
            usage,
            { secret: key, id: `msg_${path}` },
            { url: `https://app.example/${path}` },
          ),
        )
      ).status;
    expect(await to('a', secret)).toBe(200);
    expect(await to('b', otherSecret)).toBe(200);
    expect(await to('a', otherSecret)).toBe(400);
    expect(await to('c', secret)).toBe(400);
  });

  test('that cannot be looked up is a 500, logged', async () => {
    const logger = recorder();
    const handler = make({
      logger,
      secret: () => Promise.reject(new Error('vault away')),
    });
    expect((await handler(await request(usage))).status).toBe(500);
    expect(logger.lines.join()).toContain('vault away');
    const bad = make({ logger, secret: () => 'nonsense' });
    expect((await bad(await request(usage))).status).toBe(500);
  });

  test('chosen by a function never makes an unsigned delivery pass', async () => {
    const token = 'a-secret-token-of-20';
    const handler = make({ secret: () => [] as never, token });
    const unsigned = new Request('https://app.example', {
      method: 'POST',
      body: JSON.stringify(usage),
      headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': String(at), 'x-service-token': token },
    });
    expect((await handler(unsigned)).status).toBe(500);
  });
});

describe('Options', () => {
  test.each([
    ['no secret', { secret: undefined }],
    ['a bad secret', { secret: 'cg_live_x' }],
    ['a misspelt type', { on: { usage_treshold: () => {} } }],
    ['a type of the prototype', { on: { constructor: () => {} } }],
    ['a callback that is none', { on: { usage_threshold: 'call me' } }],
    ['an onOther that is none', { onOther: 7 }],
    ['a tolerance of NaN', { tolerance: Number.NaN }],
  ])('with %s are refused at construction', (_name, options) => {
    expect(() => make(options as never)).toThrow(
      expect.objectContaining({ code: 'webhook_configuration' }),
    );
  });
});

describe('Metrics', () => {
  test('are told of every answer, and may throw', async () => {
    const reports: DeliveryReport[] = [];
    const handler = make({
      onDelivery: (report) => {
        reports.push(report);
        throw new Error('metrics away');
      },
    });
    await handler(await request(usage));
    await handler(await request(usage));
    await handler(await request(usage, { secret: otherSecret }));
    await handler(new Request('https://app.example'));
    expect(reports.map(({ status, outcome, code }) => [status, outcome, code])).toEqual([
      [200, 'ignored', undefined],
      [200, 'duplicate', undefined],
      [400, 'refused', 'signature_mismatch'],
      [405, 'method_not_allowed', undefined],
    ]);
    expect(reports[0]).toMatchObject({ event: { id: 'msg_1' }, durationMs: expect.any(Number) });
  });
});

/** Ends the wait at once: only a result that is there already settles it. */
function unsettled(handler: WebhookHandler, requestId: string) {
  const controller = new AbortController();
  const waiting = handler.waitFor(requestId, { signal: controller.signal });
  controller.abort(new Error('still waiting'));
  return waiting;
}

describe('waitFor', () => {
  test('settles when the result arrives, after its callback', async () => {
    const order: string[] = [];
    const handler = make({ on: { generation_completed: () => void order.push('callback') } });
    const waiting = handler.waitFor('gen_1').then((event) => {
      order.push('result');
      return event;
    });
    await handler(await request(completed));
    expect(await waiting).toMatchObject({ type: 'generation_completed', payload: completed });
    expect(order).toEqual(['callback', 'result']);
  });

  test('settles at once with a result that came before, failures included', async () => {
    const handler = make();
    await handler(await request(failed));
    expect(await handler.waitFor('gen_2')).toMatchObject({ type: 'generation_failed' });
  });

  test('is fed by a duplicate too: another process may have handled the first', async () => {
    const dedupe = memoryDedupe({ now });
    await make({ dedupe })(await request(completed));
    const second = make({ dedupe });
    await second(await request(completed));
    expect(await second.waitFor('gen_1')).toMatchObject({ payload: completed });
  });

  test('is not fed by a forged result', async () => {
    const handler = make();
    await handler(await request(completed, { secret: otherSecret }));
    await expect(unsettled(handler, 'gen_1')).rejects.toThrow('still waiting');
  });

  test('ends with the reason of its signal', async () => {
    const handler = make();
    const controller = new AbortController();
    const waiting = handler.waitFor('gen_9', { signal: controller.signal });
    const other = handler.waitFor('gen_1');
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(handler.waitFor('gen_9', { signal: controller.signal })).rejects.toThrow('enough');
    await handler(await request(completed));
    expect((await other).type).toBe('generation_completed');
  });

  test('remembers the newest results only', async () => {
    const handler = make();
    for (let n = 0; n <= 256; n++)
      await handler(await request({ ...completed, requestId: `gen_${n}` }, { id: `msg_${n}` }));
    await expect(unsettled(handler, 'gen_0')).rejects.toThrow('still waiting');
    expect((await handler.waitFor('gen_256')).payload.requestId).toBe('gen_256');
  });
});
