import { describe, expect, test } from 'vitest';
import { retryDelays } from '../../../mock-server/domain/delivery/retry-schedule.ts';
import {
  day,
  deliverySetup,
  hang,
  hour,
  minute,
  type Sent,
  secretOf,
  start,
  status,
} from './delivery-setup.ts';
import { bodyOf, callback, event, verify } from './messages.ts';

test('a delivery that always fails makes ten attempts within the jitter; bytes and id stay the same, time and signature do not', async () => {
  const at = deliverySetup({ receive: () => status(500) });
  const { id, messageId } = callback(at);
  await at.advance(10 * day);
  expect(at.sent).toHaveLength(10);
  expect(at.sent[0]?.at).toBe(start);
  for (const [n, base] of retryDelays.entries()) {
    const gap = (at.sent[n + 1]?.at ?? 0) - (at.sent[n]?.at ?? 0);
    expect(Math.abs(gap - base)).toBeLessThanOrEqual(base * 0.2);
    expect(gap).not.toBe(base);
  }
  const distinct = (of: (sent: Sent) => unknown) => [...new Set(at.sent.map(of))];
  expect(distinct(bodyOf)).toHaveLength(1);
  expect(distinct(({ headers }) => headers['webhook-id'])).toEqual([messageId]);
  expect(distinct(({ headers }) => headers['webhook-signature'])).toHaveLength(10);
  for (const sent of at.sent) {
    expect(sent.headers['webhook-timestamp']).toBe(String(Math.floor(sent.at / 1000)));
    expect(sent.headers['X-Service-Signature']).toBe(sent.headers['webhook-signature']);
    await verify(sent, secretOf('P'));
  }
  const failed = at.sent.map(({ at }) => ({ at, error: 'status', status: 500 }));
  expect(at.delivery({ id })).toMatchObject({ status: 'failed', attempts: failed });
  expect(at.delivery({ id }).nextAttemptAt).toBeUndefined();
});

const outcomes = [
  ...[200, 201, 202, 204, 299].map((status) => ({ status })),
  ...[301, 302, 304, 307, 400, 401, 404, 409, 422, 500, 502].map((status) => ({ status })),
  ...(['timeout', 'connection', 'dns', 'refused_address'] as const).map((error) => ({ error })),
];

test.each(outcomes)('%o ends a delivery if it is 2xx, else it is retried', async (outcome) => {
  const first = 'status' in outcome ? status(outcome.status) : outcome;
  const at = deliverySetup({ receive: ({ at: time }) => (time === start ? first : status(200)) });
  const { id } = callback(at);
  await at.advance(minute);
  const { attempts, status: ended } = at.delivery({ id });
  expect(ended).toBe('delivered');
  if ('status' in outcome && outcome.status < 300) {
    expect(attempts).toMatchObject([outcome]);
    expect(attempts[0]?.error).toBeUndefined();
  } else {
    expect(attempts).toMatchObject([{ error: 'status', ...outcome }, { status: 200 }]);
    if ('error' in outcome) expect(attempts[0]?.status).toBeUndefined();
  }
  expect(at.events().at(-1)).toMatchObject({ type: 'delivery.delivered', subject: id });
});

test('Retry-After on a 503 delays the next attempt', async () => {
  const at = deliverySetup({ receive: () => status(503, { retryAfter: '3600' }) });
  callback(at);
  await at.advance(hour);
  expect(at.sent.map(({ at: time }) => time - start)).toEqual([0, hour]);
});

describe('endpoints that share the slots', () => {
  test.each(['deliveries to one endpoint', 'callbacks with a path each'])(
    '%s that hangs do not delay another origin',
    async (kind) => {
      const at = deliverySetup({
        receive: (request, options) =>
          request.url.includes('dead') ? hang(request, options) : status(200),
      });
      at.webhook({ id: 'wh_dead', url: 'https://dead.example/' });
      at.webhook({ id: 'wh_live' });
      const isCallback = kind.startsWith('callbacks');
      const send = (id: 'dead' | 'live', n: number) =>
        isCallback ? callback(at, `https://${id}.example/cb/${n}`) : event(at, `wh_${id}`);
      for (let n = 0; n < 1000; n += 1) send('dead', n);
      const live = Array.from({ length: 200 }, (_, n) => send('live', n));
      await at.settle();
      expect(live.every((delivery) => at.delivery(delivery).status === 'delivered')).toBe(true);
      expect(at.sent.filter(({ url }) => url.includes('dead'))).toHaveLength(1);
      expect(at.now()).toBe(start);
    },
  );
});

describe('what is kept of a response', () => {
  test('at most 1 KiB, cut between characters; its headers, except cookies, those of the connection and those too long', async () => {
    const headers: [string, string][] = [
      ['Content-Type', 'text/html'],
      ['Set-Cookie', 'session=secret'],
      ['X-Edge', 'a'],
      ['X-Edge', 'b'],
      ['X-Long', 'x'.repeat(4096)],
      ['Connection', 'keep-alive'],
    ];
    const at = deliverySetup({
      receive: () => ({ status: 403, snippet: 'é'.repeat(16_000), headers }),
    });
    const { id } = callback(at);
    await at.settle();
    const [attempt] = at.delivery({ id }).attempts;
    expect(attempt?.response).toBe('é'.repeat(512));
    expect(attempt?.responseHeaders).toEqual({ 'content-type': 'text/html', 'x-edge': 'a, b' });
  });

  test('no secret that the receiver echoed', async () => {
    const at = deliverySetup({
      receive: ({ headers }) => ({
        status: 400,
        snippet: JSON.stringify({
          headers,
          secret: secretOf('W'),
          key: `cg_live_${'k'.repeat(49)}`,
          jwt: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c3JfMSJ9.c2ln',
          auth: 'Bearer abcdefghijkl',
        }),
      }),
    });
    at.webhook({ token: 'verbatim-token-1234' });
    const { id } = event(at);
    await at.settle();
    const response = at.delivery({ id }).attempts[0]?.response ?? '';
    expect(response).toContain('webhook-timestamp');
    for (const secret of ['verbatim-token', 'WWWW', 'kkkk', 'eyJhb', 'abcdefghijkl', 'v1,']) {
      expect(response).not.toContain(secret);
    }
  });
});
