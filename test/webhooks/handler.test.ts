import { type DeliveryReport, memoryDedupe, PermanentError } from 'contentgen/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { defineDeployment } from '../../src/deployment/index.ts';
import {
  at,
  completed,
  delivery,
  failed,
  makeHandler,
  otherSecret,
  recorder,
  request,
  secret,
  toData,
  usage,
} from './support.ts';

describe('A delivery', () => {
  test('reaches the callback of its type and gets a 200', async () => {
    const seen: unknown[] = [];
    const handler = makeHandler({
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
      expect(await toData(handler(await request(payload, { id })))).toMatchObject({ http: 200 });
    expect(seen).toEqual([
      ['usage_threshold', 900],
      ['generation_completed', 'A haiku'],
      ['generation_failed', 'model_failed'],
    ]);
  });

  test('of a later type goes to onOther, or is acknowledged without one', async () => {
    const onOther = vi.fn();
    const later = { event: 'constructor', extra: 1 };
    expect((await makeHandler({ onOther })(await request(later))).status).toBe(200);
    expect(onOther.mock.calls[0]?.[0]).toMatchObject({ type: 'constructor', payload: later });
    expect(await toData(makeHandler()(await request(later)))).toMatchObject({ status: 'ignored' });
  });

  test('that names no event and is no result is not acknowledged, and the log says what to set', async () => {
    const wrapped = { data: { ...completed } };
    const errors: string[] = [];
    const logger = { error: (message: string) => errors.push(message), warn() {} };
    const options = { on: { generation_completed() {} }, logger };
    const answer = await toData(makeHandler(options)(await request(wrapped)));
    expect(answer).toMatchObject({ http: 500, code: 'misconfigured' });
    expect(errors).toEqual([expect.stringMatching(/its members: "data"\. Set deployment/)]);
    const onOther = vi.fn();
    expect((await makeHandler({ onOther })(await request(wrapped))).status).toBe(200);
    expect(onOther).toHaveBeenCalledOnce();
    const told = makeHandler({ ...options, deployment: defineDeployment({ wrap: 'data' }) });
    expect(await toData(told(await request(wrapped)))).toMatchObject({ status: 'processed' });
  });

  test.each(['GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])(
    'sent by %s gets a 405 with Allow',
    async (method) => {
      const response = await makeHandler()(new Request('https://app.example', { method }));
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
    },
  );

  test('that is forged gets a 400 with nothing but a code', async () => {
    const response = await makeHandler()(await request(usage, { secret: otherSecret }));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ code: 'signature_mismatch' });
  });

  test('that is compressed gets a 415, and one over the cap a 413', async () => {
    const packed = await request(usage, {}, { headers: { 'content-encoding': 'gzip' } });
    expect(await toData(makeHandler()(packed))).toMatchObject({ code: 'unsupported_encoding' });
    const handler = makeHandler({ maxBodyBytes: 50 });
    expect((await handler(await request(usage))).status).toBe(413);
    const declared = await request(usage, {}, { headers: { 'content-length': '99999999' } });
    expect((await makeHandler()(declared)).status).toBe(413);
  });

  test('parsed by a framework gets a 500, and the log names the fix', async () => {
    const logger = recorder();
    const callback = vi.fn();
    const read = await request(usage);
    await read.text();
    const response = await makeHandler({ logger, on: { usage_threshold: callback } })(read);
    expect(response.status).toBe(500);
    expect(callback).not.toHaveBeenCalled();
    expect(logger.lines.join()).toContain('express.json()');
  });
});

describe('A callback', () => {
  test('that throws causes a 500 and a retry', async () => {
    let calls = 0;
    const handler = makeHandler({
      on: {
        usage_threshold: () => {
          calls += 1;
          if (calls === 1) throw new Error('database is down');
        },
      },
    });
    expect((await handler(await request(usage))).status).toBe(500);
    expect((await handler(await request(usage))).status).toBe(200);
    expect((await handler(await request(usage))).status).toBe(200);
    expect(calls).toBe(2);
  });

  test('that throws a PermanentError is not called again', async () => {
    const callback = vi.fn(() => {
      throw new PermanentError('no such order');
    });
    const handler = makeHandler({ on: { usage_threshold: callback } });
    expect((await handler(await request(usage))).status).toBe(200);
    expect((await handler(await request(usage))).status).toBe(200);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  test('gets an attempt id, a signal, and a commitWith that needs a database', async () => {
    const logger = recorder();
    const handler = makeHandler({
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

describe('The secret', () => {
  test('can be chosen per request', async () => {
    const handler = makeHandler({
      secret: ({ url }) =>
        url.endsWith('/a') ? secret : url.endsWith('/b') ? [otherSecret] : null,
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

  test('that cannot be looked up causes a 500, which is logged', async () => {
    const logger = recorder();
    const handler = makeHandler({
      logger,
      secret: () => Promise.reject(new Error('vault is down')),
    });
    expect((await handler(await request(usage))).status).toBe(500);
    expect(logger.lines.join()).toContain('vault is down');
    const bad = makeHandler({ logger, secret: () => 'nonsense' });
    expect((await bad(await request(usage))).status).toBe(500);
  });

  test.each([
    ['undefined', () => undefined],
    ['a promise of undefined', async () => undefined],
    ['an empty string', () => ''],
  ])('that a function returns as %s is a 500 that names the variable', async (_, read) => {
    const logger = recorder();
    const handler = makeHandler({ logger, secret: read });
    expect(await toData(handler(await request(usage)))).toEqual({
      http: 500,
      code: 'misconfigured',
    });
    expect(logger.lines).toEqual([expect.stringContaining('CONTENTGEN_WEBHOOK_SECRET')]);
  });

  test('of null, for an unknown sender, causes a rejection', async () => {
    const logger = recorder();
    const handler = makeHandler({ logger, secret: () => null });
    expect((await handler(await request(usage))).status).toBe(400);
    expect(logger.lines).toEqual([expect.stringMatching(/^warn Rejected a webhook/)]);
  });

  test('chosen by a function never lets an unsigned delivery through', async () => {
    const token = 'a-secret-token-of-20';
    const handler = makeHandler({ secret: () => [] as never, token });
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
    ['a misspelled type', { on: { usage_treshold: () => {} } }],
    ['a type of the prototype', { on: { constructor: () => {} } }],
    ['a callback that is not a function', { on: { usage_threshold: 'call me' } }],
    ['an onOther that is not a function', { onOther: 7 }],
    ['a tolerance of NaN', { tolerance: Number.NaN }],
    ['a negative tolerance', { tolerance: -1 }],
    ['an endless tolerance', { tolerance: Infinity }],
    ['memoryDedupe that was not called', { dedupe: memoryDedupe }],
    ['no dedupe store', { dedupe: null }],
    ['a scheme without its functions', { scheme: {} }],
    ['the options of a scheme', { scheme: { header: 'X-Signature' } }],
    ['no scheme', { scheme: null }],
    ['a secret of one byte', { secret: new Uint8Array(1) }],
    ['a secret of 200 kB', { secret: new Uint8Array(200_000) }],
  ])('with %s are rejected at construction', (_name, options) => {
    expect(() => makeHandler(options as never)).toThrow(
      expect.objectContaining({ code: 'webhook_configuration' }),
    );
  });
});

describe('dedupeKey', () => {
  test.each([
    ['an empty string', () => '', 'an empty string'],
    ['a promise', async () => 'acme:msg_1', 'a promise'],
    ['nothing', () => undefined, 'undefined'],
    ['a number', () => 7, 'a number'],
  ])('that returns %s is a 500 and a log line, and drops nothing', async (_, dedupeKey, kind) => {
    const callback = vi.fn();
    const logger = recorder();
    const handler = makeHandler({
      logger,
      dedupeKey: dedupeKey as never,
      on: { usage_threshold: callback },
    });
    for (const id of ['msg_1', 'msg_2'])
      expect((await handler(await request(usage, { id }))).status).toBe(500);
    expect(callback).not.toHaveBeenCalled();
    expect(logger.lines).toHaveLength(2);
    expect(logger.lines[0]).toContain(`dedupeKey returned ${kind}`);
  });
});

describe('An unsigned delivery', () => {
  test.each([
    ['without a signature', 'x-service-signature'],
    ['without an id', 'webhook-id'],
    ['without a time', 'webhook-timestamp'],
  ])('%s is rejected before its body is read', async (_, missing) => {
    const { body, headers } = await delivery(usage);
    const left = new Headers(headers);
    left.delete(missing);
    if (missing === 'x-service-signature') left.delete('webhook-signature');
    const unsigned = new Request('https://app.example', { method: 'POST', body, headers: left });
    expect(await toData(makeHandler()(unsigned))).toEqual({ http: 400, code: 'missing_header' });
    expect(unsigned.bodyUsed).toBe(false);
  });
});

describe('Metrics', () => {
  test('report every response, and are allowed to throw', async () => {
    const reports: DeliveryReport[] = [];
    const handler = makeHandler({
      on: { usage_threshold: () => {} },
      onDelivery: (report) => {
        reports.push(report);
        throw new Error('metrics are down');
      },
    });
    await handler(await request(usage));
    await handler(await request(usage));
    await handler(await request(usage, { secret: otherSecret }));
    await handler(new Request('https://app.example'));
    expect(reports.map(({ status, outcome, code }) => [status, outcome, code])).toEqual([
      [200, 'processed', undefined],
      [200, 'duplicate', undefined],
      [400, 'rejected', 'signature_mismatch'],
      [405, 'method_not_allowed', undefined],
    ]);
    expect(reports[0]).toMatchObject({ event: { id: 'msg_1' }, durationMs: expect.any(Number) });
  });

  test('that reject later change nothing', async () => {
    const rejected: unknown[] = [];
    const note = (reason: unknown) => rejected.push(reason);
    process.on('unhandledRejection', note);
    const onDelivery = vi.fn(async () => Promise.reject(new Error('metrics are down')));
    expect((await makeHandler({ onDelivery })(await request(usage))).status).toBe(200);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect([onDelivery.mock.calls.length, rejected]).toEqual([1, []]);
  });

  test('and a logger that throw do not change the response', async () => {
    const away = () => {
      throw new Error('logger is down');
    };
    const handler = makeHandler({
      logger: { warn: away, error: away },
      on: { usage_threshold: () => Promise.reject(new Error('database is down')) },
    });
    expect((await handler(await request(usage))).status).toBe(500);
  });
});
