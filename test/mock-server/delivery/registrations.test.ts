import { describe, expect, test } from 'vitest';
import { day, deliverySetup, second, secretOf, start, status } from './delivery-setup.ts';
import { bodyOf, callback, event, payload, verify } from './messages.ts';

describe('registrations', () => {
  test('each attempt uses the current URL, token and secret', async () => {
    const at = deliverySetup({ receive: () => status(500) });
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

  test('a 410 from a callback URL ends only that delivery', async () => {
    const at = deliverySetup({ receive: ({ at: time }) => status(time === start ? 410 : 200) });
    const gone = callback(at);
    await at.advance(10 * day);
    expect(at.sent).toHaveLength(1);
    expect(at.delivery(gone)).toMatchObject({ status: 'failed', attempts: [{ status: 410 }] });
    const next = callback(at);
    await at.settle();
    expect(at.delivery(next).status).toBe('delivered');
  });

  test('five days of failures disable a registration, unless there is a success in between', async () => {
    const at = deliverySetup({ receive: () => status(500) });
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
});
