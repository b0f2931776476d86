import {
  auditReceiver,
  createTestRequest,
  deliver,
  sampleEvent,
  sampleTypes,
  type Tampering,
} from 'contentgen/testing';
import { createWebhookHandler, verifyWebhook } from 'contentgen/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { bodyHmac } from '../support/body-hmac.ts';
import { otherSecret, recorder, secret } from '../webhooks/support.ts';

const make = (callback: () => unknown = () => {}, options = {}) =>
  createWebhookHandler({
    secret,
    logger: recorder(),
    on: Object.fromEntries(sampleTypes.map((type) => [type, callback])),
    ...options,
  });

describe('sampleEvent', () => {
  test.each(sampleTypes)(
    '%s has a payload that the contract accepts, and verifies',
    async (type) => {
      const event = sampleEvent(type);
      const request = await createTestRequest(event, { secret });
      const validate = () => import('contentgen/schemas');
      expect(await verifyWebhook({ request, secret, validate })).toEqual({
        id: event.id,
        type,
        timestamp: expect.any(Number),
        payload: event.payload,
      });
    },
  );

  test('has a new id, the same payload and the requested changes', () => {
    const [one, two] = [sampleEvent('usage_threshold'), sampleEvent('usage_threshold')];
    expect(one.id).not.toBe(two.id);
    expect(one.payload).toEqual(two.payload);
    expect(sampleEvent('usage_threshold', { usage: 3 }).payload).toEqual({
      ...one.payload,
      usage: 3,
    });
  });

  test('throws a TypeError for an unknown type', () => {
    expect(() => sampleEvent('constructor' as never)).toThrow(TypeError);
  });
});

describe('deliver', () => {
  const event = () => sampleEvent('usage_threshold');
  const rejected = { ok: true, attempts: [{ status: 400, expected: '4xx' }] };

  test('says when no callback handled the event', async () => {
    const handler = createWebhookHandler({ secret, on: { data_updated: () => {} } });
    const report = await deliver(handler, sampleEvent('invoice_paid'), { secret });
    expect(report).toMatchObject({
      ok: false,
      attempts: [{ status: 200, problem: expect.stringMatching(/^No callback handled it/) }],
    });
  });

  test('reports an accepted delivery', async () => {
    const report = await deliver(make(), event(), { secret });
    expect(report.ok).toBe(true);
    expect(report.attempts).toEqual([
      {
        id: expect.stringMatching(/^msg_/),
        status: 200,
        body: '{"status":"processed"}',
        durationMs: expect.any(Number),
        expected: '2xx',
        ok: true,
      },
    ]);
  });

  test('sends duplicates under one id, and the effect happens once', async () => {
    const callback = vi.fn();
    const report = await deliver(make(callback), event(), { secret, duplicates: 2 });
    expect(report.attempts.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(report.attempts.map(({ id }) => id)).size).toBe(1);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  test.each(['body', 'signature', 'id', 'timestamp'] as const)(
    'tampers with the %s, which must be rejected',
    async (tamper) => {
      const callback = vi.fn();
      const options = { secret: [otherSecret, secret], tamper };
      expect(await deliver(make(callback), event(), options)).toMatchObject(rejected);
      expect(callback).not.toHaveBeenCalled();
      const gullible = await deliver(() => new Response('fine'), event(), { secret, tamper });
      expect(gullible).toMatchObject({ ok: false, attempts: [{ status: 200, ok: false }] });
    },
  );

  test('tampers with the token, and throws when there is none', async () => {
    const token = 'a-secret-token-of-20';
    const handler = make(() => {}, { token });
    expect((await deliver(handler, event(), { secret, token })).ok).toBe(true);
    const tampered = await deliver(handler, event(), { secret, token, tamper: 'token' });
    expect(tampered).toMatchObject(rejected);
    const without = deliver(handler, event(), { secret, tamper: 'token' });
    await expect(without).rejects.toThrow(TypeError);
  });

  test.each([
    [-121, 400],
    [121, 400],
    [-120, 200],
    [110, 200],
  ])('with a clock %i s off and a tolerance of 120 s gets a %i', async (skewSeconds, status) => {
    const now = () => 1_767_225_600_000;
    const clock = { now, tolerance: 120 };
    const handler = make(() => {}, clock);
    const report = await deliver(handler, event(), { secret, skewSeconds, ...clock });
    expect(report).toMatchObject({ ok: true, attempts: [{ status }] });
  });

  test('signs and tampers with another scheme', async () => {
    const scheme = bodyHmac({ header: 'X-Hook', prefix: 'sha256=' });
    const handler = make(() => {}, { scheme });
    expect((await deliver(handler, event(), { secret, scheme })).ok).toBe(true);
    const report = await deliver(handler, event(), { secret, scheme, tamper: 'signature' });
    expect(report).toMatchObject({ ok: true, attempts: [{ status: 400 }] });
  });

  test('reports a receiver that throws, hangs or is unreachable', async () => {
    const thrown = await deliver(() => Promise.reject(new Error('oops')), event(), { secret });
    expect(thrown).toMatchObject({ ok: false, attempts: [{ status: 0, body: 'Error: oops' }] });
    const hanging = () => new Promise<Response>(() => {});
    const timedOut = await deliver(hanging, event(), { secret, timeoutMs: 10 });
    expect(timedOut).toMatchObject({
      ok: false,
      attempts: [{ status: 0, body: expect.stringContaining('Timeout') }],
    });
    const nobody = await deliver('http://127.0.0.1:1/', event(), { secret });
    expect(nobody).toMatchObject({ ok: false, attempts: [{ status: 0 }] });
  });

  test('takes plain payloads and texts', async () => {
    const report = await deliver(make(), [{ event: 'later' }, '{"event":"later"}'], { secret });
    expect(report.attempts.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('throws when the receiver is neither a handler nor an http: or https: URL', async () => {
    for (const target of [event(), '/webhooks', 'localhost:3000/webhooks', undefined])
      for (const ask of [
        deliver(target as never, event(), { secret }),
        auditReceiver(target as never, { secret }),
      ])
        await expect(ask).rejects.toThrow('neither a handler nor an http: or https: URL');
  });

  test('throws on invalid options', async () => {
    for (const options of [
      { secret, duplicates: -1 },
      { secret, tamper: 'headers' as Tampering },
      { secret: 'x' },
    ])
      await expect(deliver(make(), event(), options)).rejects.toMatchObject({
        code: 'webhook_configuration',
      });
  });
});
