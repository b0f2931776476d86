import { type DeliveryReport, memoryDedupe } from 'contentgen/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { defineDeployment } from '../../src/deployment/index.ts';
import { setUp } from './set-up.ts';
import {
  at,
  completed,
  delivery,
  failed,
  makeHandler,
  otherSecret,
  secret,
  toData,
  usage,
} from './support.ts';

const misconfigured = { http: 500, code: 'misconfigured' };

describe('A delivery', () => {
  test('reaches the callback of its type and gets a 200', async () => {
    const seen: unknown[] = [];
    const { send } = setUp({
      on: {
        usage_threshold: (event) => seen.push([event.type, event.payload.threshold]),
        generation_completed: (event) => seen.push([event.type, event.payload.result]),
        generation_failed: (event) => seen.push([event.type, event.payload.error.code]),
      },
    });
    for (const [index, payload] of [usage, completed, failed].entries())
      expect(await send(payload, { id: `msg_${index}` })).toMatchObject({ http: 200 });
    expect(seen).toEqual([
      ['usage_threshold', 900],
      ['generation_completed', 'A haiku'],
      ['generation_failed', 'model_failed'],
    ]);
  });

  test('that names no event and is no result is not acknowledged, and the log says what to set', async () => {
    const wrapped = { data: { ...completed } };
    const on = { generation_completed() {} };
    const { send, logger } = setUp({ on });
    expect(await send(wrapped)).toEqual(misconfigured);
    expect(logger.lines).toEqual([expect.stringMatching(/its members: "data"\. Set deployment/)]);
    const onOther = vi.fn();
    expect((await setUp({ onOther }).send(wrapped)).http).toBe(200);
    expect(onOther).toHaveBeenCalledOnce();
    const told = setUp({ on, deployment: defineDeployment({ wrap: 'data' }) });
    expect((await told.send(wrapped)).status).toBe('processed');
  });

  test.each(['GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])(
    'sent by %s gets a 405',
    async (method) => {
      const response = await makeHandler()(new Request('https://app.example', { method }));
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    },
  );

  test.each([
    ['a signature', ['x-service-signature', 'webhook-signature']],
    ['an id', ['webhook-id']],
    ['a time', ['webhook-timestamp']],
  ])('without %s is rejected before its body is read', async (_, missing) => {
    const { body, headers } = await delivery(usage);
    const left = new Headers(headers);
    for (const name of missing) left.delete(name);
    const unsigned = new Request('https://app.example', { method: 'POST', body, headers: left });
    expect(await toData(makeHandler()(unsigned))).toEqual({ http: 400, code: 'missing_header' });
    expect(unsigned.bodyUsed).toBe(false);
  });
});

describe('A callback', () => {
  test('that throws causes a 500 and a retry', async () => {
    const { send, callback } = setUp();
    callback.mockRejectedValueOnce(new Error('database is down'));
    const statuses = [await send(), await send(), await send()].map(({ http }) => http);
    expect(statuses).toEqual([500, 200, 200]);
    expect(callback).toHaveBeenCalledTimes(2);
  });

  test('gets an attempt id, a signal, and a commitWith that needs a database', async () => {
    const { send, callback, logger } = setUp();
    callback.mockImplementation((_, { commitWith }) => commitWith(async () => ({ rows: [] })));
    expect((await send()).http).toBe(500);
    expect(logger.lines.join()).toContain('postgresDedupe');
    const [[, context] = []] = callback.mock.calls;
    expect(context?.attemptId).toMatch(/^[0-9a-f-]{36}$/);
    expect(context?.signal.aborted).toBe(false);
  });
});

describe('The secret', () => {
  test('can be chosen per request', async () => {
    const keys = new Map([
      ['a', [secret]],
      ['b', [otherSecret]],
    ]);
    const { send } = setUp({
      secret: ({ url }) => keys.get(new URL(url).pathname.slice(1)) ?? null,
    });
    const to = async (path: string, key: string) =>
      (await send(usage, { secret: key, id: `msg_${path}` }, { url: `https://a.example/${path}` }))
        .http;
    expect(await to('a', secret)).toBe(200);
    expect(await to('b', otherSecret)).toBe(200);
    expect(await to('a', otherSecret)).toBe(400);
    expect(await to('c', secret)).toBe(400);
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('vault is down')), 'vault is down'],
    ['returns nonsense', () => 'nonsense', 'does not start with whsec_'],
    ['returns undefined', () => undefined, 'CONTENTGEN_WEBHOOK_SECRET'],
    ['returns an empty string', () => '', 'CONTENTGEN_WEBHOOK_SECRET'],
  ])('whose function %s is a 500, and the log says why', async (_, read, words) => {
    const { send, logger } = setUp({ secret: read });
    expect(await send()).toEqual(misconfigured);
    expect(logger.lines).toEqual([expect.stringContaining(words)]);
  });

  test('chosen by a function never lets an unsigned delivery through', async () => {
    const token = 'a-secret-token-of-20';
    const { handler } = setUp({ secret: () => [] as never, token });
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
    ['a misspelled type', { on: { usage_treshold: () => {} } }],
    ['a callback that is not a function', { on: { usage_threshold: 'call me' } }],
    ['an onOther that is not a function', { onOther: 7 }],
    ['a tolerance of more than an hour', { tolerance: 3601 }],
    ['a storeTimeoutMs of 0', { storeTimeoutMs: 0 }],
    ['a maxHandlingMs of 9', { maxHandlingMs: 9 }],
    ['memoryDedupe that was not called', { dedupe: memoryDedupe }],
    ['no dedupe store', { dedupe: null }],
    ['a scheme without its functions', { scheme: {} }],
  ])('with %s are rejected at construction', (_name, options) => {
    const wrong = expect.objectContaining({ code: 'webhook_configuration' });
    expect(() => makeHandler(options as never)).toThrow(wrong);
  });
});

describe('dedupeKey', () => {
  test.each([
    ['an empty string', () => '', 'an empty string'],
    ['a promise', async () => 'acme:msg_1', 'a promise'],
    ['nothing', () => undefined, 'undefined'],
  ])('that returns %s is a 500 and a log line, and drops nothing', async (_, dedupeKey, kind) => {
    const { send, callback, logger } = setUp({ dedupeKey: dedupeKey as never });
    for (const id of ['msg_1', 'msg_2']) expect((await send(usage, { id })).http).toBe(500);
    expect(callback).not.toHaveBeenCalled();
    expect(logger.lines).toHaveLength(2);
    expect(logger.lines[0]).toContain(`dedupeKey returned ${kind}`);
  });
});

describe('Metrics', () => {
  const throwing = () => {
    throw new Error('metrics are down');
  };

  test('report every response, with what a callback threw', async () => {
    const reports: DeliveryReport[] = [];
    const { send, handler, callback } = setUp({
      onDelivery: (report) => void reports.push(report),
    });
    callback.mockRejectedValueOnce(new Error('The disk is full.'));
    for (let sent = 0; sent < 3; sent += 1) await send();
    await send(usage, { secret: otherSecret });
    await handler(new Request('https://app.example'));
    await send({ event: 'later' });
    expect(
      reports.map(({ status, outcome, code, error }) => [status, outcome, code ?? error]),
    ).toEqual([
      [500, 'callback_failed', new Error('The disk is full.')],
      [200, 'processed', undefined],
      [200, 'duplicate', undefined],
      [400, 'rejected', 'signature_mismatch'],
      [405, 'method_not_allowed', undefined],
      [200, 'ignored', undefined],
    ]);
    expect(reports[0]).toMatchObject({ event: { id: 'msg_1' }, durationMs: expect.any(Number) });
  });

  test.each([
    ['throw', () => throwing()],
    ['reject later', () => Promise.reject(new Error('metrics are down'))],
  ])('that %s change nothing, nor does a logger that does', async (_, onDelivery) => {
    const rejected = vi.fn();
    process.on('unhandledRejection', rejected);
    const { send, callback } = setUp({
      onDelivery,
      logger: { warn: onDelivery, error: onDelivery },
    });
    callback.mockRejectedValueOnce(new Error('database is down'));
    expect([(await send()).http, (await send()).http]).toEqual([500, 200]);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', rejected);
    expect(rejected).not.toHaveBeenCalled();
  });
});
