import { describe, expect, test } from 'vitest';
import { redeliver, redeliverFailed } from '../../../mock-server/domain/delivery/redeliver.ts';
import { retryDelays } from '../../../mock-server/domain/delivery/retry-schedule.ts';
import { disableWebhook } from '../../../mock-server/domain/registration-health.ts';
import { day, deliverySetup, hang, second, status } from './delivery-setup.ts';
import { event } from './messages.ts';

describe('redelivery', () => {
  test('sends the same bytes under the same id, on a fresh schedule', async () => {
    const at = deliverySetup({ receive: () => status(500) });
    at.webhook();
    const { id, messageId } = event(at);
    await at.advance(4 * day);
    expect(at.delivery({ id }).status).toBe('failed');
    expect(at.sent).toHaveLength(10);
    const redelivered = redeliver(at.context, at.delivery({ id }));
    expect(redelivered).toMatchObject({ id, messageId, status: 'pending' });
    await at.advance(0.5 * day);
    const again = at.sent.slice(10);
    expect(again.length).toBeGreaterThan(4);
    expect((again[1]?.at ?? 0) - (again[0]?.at ?? 0)).toBeLessThanOrEqual(
      1.2 * Number(retryDelays[0]),
    );
    expect(new Set(at.sent.map(({ body }) => new TextDecoder().decode(body))).size).toBe(1);
    expect(new Set(at.sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    at.receive(() => status(200));
    await at.advance(day);
    expect(at.delivery({ id }).status).toBe('delivered');
  });

  test('of one that waits for its turn is accepted, and sends it once', async () => {
    const at = deliverySetup({ receive: hang });
    at.webhook();
    const [, waiting] = [event(at), event(at)];
    await at.settle();
    const again = redeliver(at.context, at.delivery(waiting));
    expect(again).toMatchObject({ id: waiting.id, status: 'pending' });
    at.receive(() => status(200));
    await at.advance(30 * second);
    const ids = at.sent.map(({ headers }) => headers['webhook-id']);
    expect(ids.filter((id) => id === waiting.messageId)).toHaveLength(1);
  });

  test('is rejected while an attempt is in flight, or if the registration is disabled or gone', async () => {
    let respond = (_: ReturnType<typeof status>) => {};
    const at = deliverySetup({
      receive: () => new Promise((resolve) => (respond = resolve)),
    });
    const webhook = at.webhook();
    const { id } = event(at);
    const redelivered = () => redeliver(at.context, at.delivery({ id }));
    expect(redelivered()).toMatchObject({ status: 'pending' });
    await at.settle();
    expect(redelivered()).toMatchObject({ code: 'invalid_state' });
    respond(status(200));
    await at.settle();
    expect(at.delivery({ id })).toMatchObject({ status: 'delivered', attempts: [{}] });
    disableWebhook(at.context, webhook, 'requested');
    expect(redelivered()).toMatchObject({ code: 'invalid_state' });
    at.context.store.table('webhooks').delete('wh_1');
    expect(redelivered()).toMatchObject({ code: 'invalid_state' });
    expect(at.sent).toHaveLength(1);
  });

  test.each([
    ['failed', 500, 'delivered', 200],
    ['delivered', 200, 'failed', 500],
  ] as const)(
    'of everything %s since a given time leaves out what is older, pending or ended otherwise',
    async (chosen, code, other, otherCode) => {
      const at = deliverySetup({ receive: () => status(code) });
      at.webhook();
      const old = event(at);
      await at.advance(4 * day);
      const since = at.now();
      at.webhook();
      const due = [event(at), event(at)];
      await at.advance(4 * day);
      at.receive(() => status(otherCode));
      const spared = [old, event(at)];
      await at.advance(4 * day);
      const before = spared.map((one) => at.delivery(one));
      expect(before.map((one) => one.status)).toEqual([chosen, other]);
      at.receive(() => status(200));
      const pending = event(at);
      expect(redeliverFailed(at.context, 'wh_1', { since, status: chosen })).toBe(2);
      expect(at.delivery(pending).attempts).toEqual([]);
      const attempts = due.map((one) => at.delivery(one).attempts.length);
      await at.settle();
      expect(due.map((one) => at.delivery(one))).toMatchObject(
        attempts.map((count) => ({ status: 'delivered', attempts: { length: count + 1 } })),
      );
      expect(spared.map((one) => at.delivery(one))).toEqual(before);
    },
  );
});

test('only the newest finished deliveries are kept, but all pending ones, and one that succeeds late', async () => {
  const at = deliverySetup({ receive: () => status(500), retention: { lines: 3 } });
  at.webhook();
  at.webhook({ id: 'wh_dead', url: 'https://dead.example/' });
  const [late, pending] = [event(at), event(at, 'wh_dead')];
  await at.settle();
  at.receive(({ url }) => status(url.includes('dead') ? 500 : 200));
  const ids = Array.from({ length: 5 }, () => event(at).id);
  await at.settle();
  expect(at.deliveries().map(({ id }) => id)).toEqual([late.id, pending.id, ...ids.slice(2)]);
  await at.advance(7 * second);
  expect(at.delivery(late)).toMatchObject({ status: 'delivered', attempts: [{}, {}] });
  expect(at.deliveries().map(({ id }) => id)).toEqual([late.id, pending.id, ...ids.slice(3)]);
});
