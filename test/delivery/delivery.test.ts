import { Webhook as StandardWebhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { enqueueDelivery } from '../../mock-server/domain/delivery/queue.ts';
import { retryDelays } from '../../mock-server/domain/delivery/schedule.ts';
import { addFault } from '../../mock-server/domain/faults.ts';
import { verifyWebhook } from '../../src/webhooks/index.ts';
import {
  day,
  deliveryWorld,
  hour,
  minute,
  type Sent,
  second,
  secretOf,
  start,
  status,
} from './world.ts';

const payload = { event: 'data_updated', organization: 'org_1', source: 'crm', text: 'ünïcode ✓' };

function callback(
  at: ReturnType<typeof deliveryWorld>,
  url = 'https://app.example/cb',
  requestId = 'gen_1',
) {
  return enqueueDelivery(at.world, {
    organization: 'org_1',
    project: 'prj_1',
    stream: 1,
    requestId,
    event: 'generation_completed',
    url,
    payload: { requestId, result: 'text', model: 'content-1', usage: { totalTokens: 2 } },
  });
}

function event(at: ReturnType<typeof deliveryWorld>, webhookId = 'wh_1') {
  return enqueueDelivery(at.world, {
    organization: 'org_1',
    project: 'prj_1',
    stream: 1,
    webhookId,
    event: 'data_updated',
    url: 'https://app.example/hooks',
    payload,
  });
}

const bodyOf = (sent: Sent | undefined) => new TextDecoder().decode(sent?.body);
const verify = (sent: Sent | undefined, secret: string) =>
  verifyWebhook({
    body: sent?.body as Uint8Array,
    headers: { ...sent?.headers },
    secret,
    now: () => sent?.at ?? 0,
    diagnose: false,
  });

describe('the schedule of a delivery that always fails', () => {
  test('ten attempts, each within its jitter, then failed; same bytes and id, own time and signature', async () => {
    const at = deliveryWorld({ receive: () => status(500) });
    const { id, messageId } = callback(at);
    await at.advance(10 * day);
    expect(at.sent).toHaveLength(10);
    expect(at.sent[0]?.at).toBe(start);
    for (const [n, base] of retryDelays.entries()) {
      const gap = (at.sent[n + 1]?.at ?? 0) - (at.sent[n]?.at ?? 0);
      expect(gap).toBeGreaterThanOrEqual(base * 0.8);
      expect(gap).toBeLessThanOrEqual(base * 1.2);
      expect(gap).not.toBe(base);
    }
    expect(new Set(at.sent.map(bodyOf)).size).toBe(1);
    expect(new Set(at.sent.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([messageId]),
    );
    expect(new Set(at.sent.map(({ headers }) => headers['webhook-signature'])).size).toBe(10);
    for (const sent of at.sent) {
      expect(sent.headers['webhook-timestamp']).toBe(String(Math.floor(sent.at / 1000)));
      expect(sent.headers['X-Service-Signature']).toBe(sent.headers['webhook-signature']);
      await verify(sent, secretOf('P'));
    }
    const done = at.delivery({ id });
    expect(done.status).toBe('failed');
    expect(done.nextAttemptAt).toBeUndefined();
    expect(done.attempts.map(({ at: time }) => time)).toEqual(at.sent.map(({ at: time }) => time));
    expect(
      done.attempts.every((attempt) => attempt.error === 'status' && attempt.status === 500),
    ).toBe(true);
  });

  test('the jitter is drawn under the seed', async () => {
    const times = async (seed: number) => {
      const at = deliveryWorld({ receive: () => status(500), seed });
      callback(at);
      await at.advance(10 * day);
      return at.sent.map((sent) => sent.at);
    };
    expect(await times(7)).toEqual(await times(7));
    expect(await times(7)).not.toEqual(await times(8));
  });

  test('every attempt names the time of the next one, in the delivery and in the log', async () => {
    const at = deliveryWorld({ receive: () => status(500) });
    const { id } = callback(at);
    await at.settle();
    const next = at.delivery({ id }).nextAttemptAt ?? 0;
    expect(at.events().at(-1)).toMatchObject({
      type: 'delivery.attempted',
      subject: id,
      data: { attempt: 1, status: 500, error: 'status', durationMs: 0, nextAttemptAt: next },
    });
    await at.advance(next - at.now());
    expect(at.sent).toHaveLength(2);
    expect(at.sent[1]?.at).toBe(next);
  });
});

describe('what counts as success', () => {
  test.each([200, 201, 202, 204, 299])('%i is the end', async (code) => {
    const at = deliveryWorld({ receive: () => status(code) });
    const { id } = callback(at);
    await at.advance(10 * day);
    expect(at.sent).toHaveLength(1);
    expect(at.delivery({ id })).toMatchObject({
      status: 'delivered',
      attempts: [{ status: code }],
    });
    expect(at.delivery({ id }).attempts[0]).not.toHaveProperty('error');
    expect(at.events().at(-1)).toMatchObject({ type: 'delivery.delivered', subject: id });
  });

  test.each([301, 302, 304, 307, 400, 401, 404, 409, 422, 500, 502])(
    '%i is tried again',
    async (code) => {
      const at = deliveryWorld({ receive: ({ at: time }) => status(time === start ? code : 200) });
      const { id } = callback(at);
      await at.advance(minute);
      expect(at.delivery({ id })).toMatchObject({
        status: 'delivered',
        attempts: [{ status: code, error: 'status' }, { status: 200 }],
      });
    },
  );

  test.each(['timeout', 'connection', 'dns', 'refused_address'] as const)(
    '%s is tried again',
    async (error) => {
      const at = deliveryWorld({
        receive: ({ at: time }) => (time === start ? { error } : status(200)),
      });
      const { id } = callback(at);
      await at.advance(minute);
      expect(at.delivery({ id })).toMatchObject({
        status: 'delivered',
        attempts: [{ error }, { status: 200 }],
      });
      expect(at.delivery({ id }).attempts[0]).not.toHaveProperty('status');
    },
  );

  test('Retry-After on 503 moves the next attempt, and the schedule goes on behind it', async () => {
    const at = deliveryWorld({ receive: () => status(503, { retryAfter: '3600' }) });
    callback(at);
    await at.advance(hour - second);
    expect(at.sent).toHaveLength(1);
    await at.advance(second);
    expect(at.sent).toHaveLength(2);
    expect((at.sent[1]?.at ?? 0) - start).toBe(hour);
  });
});

describe('the deadline', () => {
  test('an attempt that never ends is a timeout after 15 s on the clock, and is tried again', async () => {
    const aborted: number[] = [];
    const at = deliveryWorld({
      receive: (sent, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted.push(sent.at);
            resolve({ error: 'timeout' });
          });
        }),
    });
    const { id } = callback(at);
    await at.advance(15 * second - 1);
    expect(at.delivery({ id }).attempts).toEqual([]);
    await at.advance(1);
    expect(at.delivery({ id }).attempts).toMatchObject([
      { at: start, error: 'timeout', durationMs: 15_000 },
    ]);
    await at.advance(6 * second);
    expect(at.sent).toHaveLength(2);
    expect(aborted).toEqual([start]);
  });
});

describe('registrations', () => {
  test('a delivery goes to the URL, token and secret as they are at each attempt', async () => {
    const at = deliveryWorld({ receive: () => status(500) });
    at.webhook({ token: 'first-token-of-16' });
    const { id } = event(at);
    await at.settle();
    const secrets = [{ secret: secretOf('N'), createdAt: start }];
    at.webhook({ url: 'https://new.example/', token: 'second-token-of-16', secrets });
    await at.advance(7 * second);
    expect(at.sent.map(({ url, headers }) => [url, headers['X-Service-Token']])).toEqual([
      ['https://app.example/hooks', 'first-token-of-16'],
      ['https://new.example/', 'second-token-of-16'],
    ]);
    await verify(at.sent[0], secretOf('W'));
    await verify(at.sent[1], secretOf('N'));
    await expect(verify(at.sent[1], secretOf('W'))).rejects.toMatchObject({
      code: 'signature_mismatch',
    });
    expect(at.delivery({ id }).url).toBe('https://new.example/');
    expect(bodyOf(at.sent[0])).toBe(JSON.stringify(payload));
  });

  test('during an overlap both secrets sign, the newest first; after it the new one alone', async () => {
    const at = deliveryWorld();
    at.webhook({
      secrets: [
        { secret: secretOf('N'), createdAt: start },
        { secret: secretOf('W'), createdAt: start, expiresAt: start + hour },
      ],
    });
    event(at);
    await at.settle();
    const during = at.sent[0];
    expect(during?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    await verify(during, secretOf('N'));
    await verify(during, secretOf('W'));
    await at.advance(hour);
    event(at);
    await at.settle();
    const after = at.sent[1];
    expect(after?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
    await verify(after, secretOf('N'));
    await expect(verify(after, secretOf('W'))).rejects.toMatchObject({
      code: 'signature_mismatch',
    });
  });

  test('the official Standard Webhooks library signs the same message alike', async () => {
    const at = deliveryWorld();
    at.webhook({ secrets: [{ secret: secretOf('S'), createdAt: start }] });
    event(at);
    await at.settle();
    const [sent] = at.sent;
    const official = new StandardWebhook(secretOf('S'));
    // Its own window is tied to the wall clock, so it signs the same message instead of checking it.
    expect(official.sign(sent?.headers['webhook-id'] ?? '', new Date(start), bodyOf(sent))).toBe(
      sent?.headers['webhook-signature'],
    );
  });

  test('410 disables the registration at once and cancels what waits for it', async () => {
    const at = deliveryWorld({ receive: ({ at: time }) => status(time === start ? 500 : 410) });
    at.webhook();
    const first = event(at);
    const second_ = event(at);
    await at.advance(20 * second);
    expect(at.webhookNow()).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
    const states = [first, second_].map((one) => at.delivery(one).status).sort();
    expect(states).toEqual(['canceled', 'failed']);
    expect(at.events().map(({ type }) => type)).toContain('webhook.disabled');
    const before = at.sent.length;
    await at.advance(10 * day);
    expect(at.sent).toHaveLength(before);
  });

  test('410 to a callback URL ends that delivery alone', async () => {
    const at = deliveryWorld({ receive: ({ at: time }) => status(time === start ? 410 : 200) });
    const gone = callback(at);
    await at.advance(10 * day);
    expect(at.sent).toHaveLength(1);
    expect(at.delivery(gone)).toMatchObject({ status: 'failed', attempts: [{ status: 410 }] });
    const next = callback(at);
    await at.settle();
    expect(at.delivery(next).status).toBe('delivered');
  });

  test('five days of failures alone disable a registration; one success in between starts the count anew', async () => {
    const at = deliveryWorld({ receive: () => status(500) });
    at.webhook();
    for (let n = 0; n < 4; n += 1) {
      event(at);
      await at.advance(day);
    }
    expect(at.webhookNow()).toMatchObject({ status: 'enabled', failingSince: start });
    at.receive(() => status(200));
    event(at);
    await at.settle();
    expect(at.webhookNow()).not.toHaveProperty('failingSince');
    at.receive(() => status(500));
    const failingSince = at.now();
    for (let n = 0; n < 5; n += 1) {
      event(at);
      await at.advance(day);
      if (n < 4) expect(at.webhookNow()?.status, String(n)).toBe('enabled');
    }
    event(at);
    await at.advance(day);
    expect(at.webhookNow()).toMatchObject({
      status: 'disabled',
      disabledReason: 'failing',
      failingSince,
    });
    expect(at.deliveries().some((delivery) => delivery.status === 'pending')).toBe(false);
  });

  test('a registration that is deleted or disabled while an attempt waits its turn gets nothing', async () => {
    const at = deliveryWorld();
    at.webhook();
    const waiting = event(at);
    at.webhook({ status: 'disabled' });
    await at.settle();
    expect(at.sent).toEqual([]);
    expect(at.delivery(waiting).status).toBe('canceled');
  });
});

describe('one endpoint and another', () => {
  test('a dead endpoint with a thousand deliveries delays nobody', async () => {
    const at = deliveryWorld({
      receive: ({ url }, { signal }) =>
        url.includes('dead')
          ? new Promise((resolve) =>
              signal.addEventListener('abort', () => resolve({ error: 'timeout' })),
            )
          : status(200),
    });
    at.webhook({ id: 'wh_dead', url: 'https://dead.example/' });
    at.webhook({ id: 'wh_live' });
    for (let n = 0; n < 1000; n += 1) event(at, 'wh_dead');
    const live = Array.from({ length: 200 }, () => event(at, 'wh_live'));
    await at.settle();
    expect(live.every((delivery) => at.delivery(delivery).status === 'delivered')).toBe(true);
    expect(at.sent.filter(({ url }) => url.includes('dead'))).toHaveLength(1);
    expect(at.now()).toBe(start);
  });
});

describe('answers', () => {
  test('at most 1 KiB is kept, cut between characters', async () => {
    const at = deliveryWorld({ receive: () => ({ status: 500, snippet: 'é'.repeat(16_000) }) });
    const { id } = callback(at);
    await at.settle();
    expect(at.delivery({ id }).attempts[0]?.response).toBe('é'.repeat(512));
  });

  test('secrets that a receiver echoes are taken out', async () => {
    const at = deliveryWorld({
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

describe('delivery faults', () => {
  const struck = async (effect: Record<string, number | boolean>) => {
    const at = deliveryWorld();
    addFault(at.world, { delivery: 'generation_completed', times: 1, effect });
    const { id } = callback(at);
    return { at, id };
  };

  test('drop: nothing is sent, and the next attempt is', async () => {
    const { at, id } = await struck({ drop: true });
    await at.settle();
    expect(at.sent).toEqual([]);
    expect(at.delivery({ id }).attempts).toMatchObject([{ error: 'connection' }]);
    await at.advance(minute);
    expect(at.delivery({ id }).status).toBe('delivered');
  });

  test('delay: sent that much later on the clock', async () => {
    const { at } = await struck({ delay: 20_000 });
    await at.advance(19_999);
    expect(at.sent).toEqual([]);
    await at.advance(1);
    expect(at.sent.map((sent) => sent.at)).toEqual([start + 20_000]);
  });

  test('duplicate: that many copies more, identical', async () => {
    const { at, id } = await struck({ duplicate: 2 });
    await at.settle();
    expect(at.sent).toHaveLength(3);
    expect(new Set(at.sent.map((sent) => JSON.stringify([sent.headers, bodyOf(sent)]))).size).toBe(
      1,
    );
    expect(at.delivery({ id }).attempts).toHaveLength(1);
  });

  test('badSignature: well-formed, and no secret fits it', async () => {
    const { at } = await struck({ badSignature: true });
    await at.settle();
    await expect(verify(at.sent[0], secretOf('P'))).rejects.toMatchObject({
      code: 'signature_mismatch',
    });
  });

  test('staleTimestamp: signed truly for a time gone by', async () => {
    const { at } = await struck({ staleTimestamp: 301 });
    await at.settle();
    await expect(verify(at.sent[0], secretOf('P'))).rejects.toMatchObject({
      code: 'timestamp_too_old',
    });
    expect(Number(at.sent[0]?.headers['webhook-timestamp'])).toBe(start / 1000 - 301);
  });

  test('a fault for another event does not strike', async () => {
    const at = deliveryWorld();
    addFault(at.world, { delivery: 'invoice_paid', effect: { drop: true } });
    callback(at);
    await at.settle();
    expect(at.sent).toHaveLength(1);
  });
});
