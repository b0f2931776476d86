import { expect, test } from 'vitest';
import { disableWebhook } from '../../../mock-server/domain/delivery/health.ts';
import { addFault } from '../../../mock-server/domain/faults.ts';
import type { OutboundOutcome } from '../../../mock-server/domain/ports.ts';
import type { Webhook } from '../../../mock-server/domain/records.ts';
import { deliveryWorld, second, status } from './context.ts';
import { event } from './messages.ts';

/** A receiver that never answers; the attempt ends when it is stopped. */
const hang = (_: unknown, { signal }: { signal: AbortSignal }) =>
  new Promise<OutboundOutcome>((resolve) => {
    signal.addEventListener('abort', () => resolve({ error: 'timeout' }), { once: true });
  });

test('endpoints disabled at once, with attempts in flight and waiting, leave every place free', async () => {
  const limits = { perEndpoint: 2, healthy: 4, failing: 2 };
  const at = deliveryWorld({ receive: hang, limits });
  const ids = Array.from({ length: 20 }, (_, n) => `wh_${n}`);
  for (const id of ids) at.webhook({ id });
  for (let n = 0; n < 5; n += 1) for (const id of ids) event(at, id);
  await at.settle();
  for (const id of ids) disableWebhook(at.context, at.webhookNow(id) as Webhook, 'requested');
  await at.settle();
  expect(at.context.scheduler.inFlight).toBe(0);
  for (const id of ids) at.webhook({ id });
  at.receive(() => status(500));
  for (const id of ids) event(at, id);
  await at.settle();
  at.receive(() => status(200));
  await at.advance(7 * second);
  const later = at.deliveries().filter((one) => one.status !== 'canceled');
  expect(later.map((one) => one.status)).toEqual(ids.map(() => 'delivered'));
});

test('a cancellation that is undone leaves the delivery to be made', async () => {
  const at = deliveryWorld({ receive: hang });
  const webhook = at.webhook();
  const { id } = event(at);
  await at.settle();
  at.receive(() => status(200));
  const { store } = at.context;
  const undone = () => {
    disableWebhook(at.context, webhook, 'requested');
    throw new Error('undone');
  };
  expect(() => store.transaction(undone)).toThrow('undone');
  await at.settle();
  expect(at.delivery({ id }).status).toBe('delivered');
  expect(at.context.scheduler.inFlight).toBe(0);
});

test('jobs of a store that is taken up run in their order, each once', async () => {
  const at = deliveryWorld();
  at.webhook();
  const all = [event(at), event(at), event(at)];
  at.context.scheduler.recover();
  at.context.scheduler.recover();
  await at.settle();
  expect(at.sent.map(({ headers }) => headers['webhook-id'])).toEqual(
    all.map(({ messageId }) => messageId),
  );
  expect(at.context.store.table('jobs').count()).toBe(0);
});

test('a job that was undone does not run in the place of the one that got its id', async () => {
  const at = deliveryWorld();
  at.webhook();
  const { scheduler, store } = at.context;
  const undone = () => {
    scheduler.schedule('delivery.attempt', 'dlv_undone', at.now());
    throw new Error('undone');
  };
  expect(() => store.transaction(undone)).toThrow('undone');
  const delivery = event(at);
  await at.settle();
  expect(at.delivery(delivery).status).toBe('delivered');
});

test('an attempt that a restored world overtakes as its turn comes takes nothing of that world', async () => {
  const limits = { perEndpoint: 1, healthy: 1, failing: 1 };
  const at = deliveryWorld({ receive: hang, limits });
  const { scheduler, store } = at.context;
  at.webhook();
  event(at);
  event(at);
  await at.settle();
  addFault(at.context, { delivery: '*', times: 1, effect: { drop: true } });
  const state = store.snapshot();
  scheduler.abandon(new Error('The state was replaced.'));
  store.restore(state);
  await new Promise((resolve) => setImmediate(resolve));
  expect(store.snapshot()).toEqual(state);
});

test('canceled jobs do not pile up in the queue, however far off they were due', async () => {
  const at = deliveryWorld();
  const { scheduler } = at.context;
  for (let n = 0; n < 5000; n += 1) {
    scheduler.schedule('delivery.attempt', `dlv_${n}`, at.now() + 5000 - n);
    if (n % 7 !== 0) scheduler.cancel(`dlv_${n}`);
  }
  expect(scheduler.nextAt()).toBe(at.now() + 5000 - 4998);
  expect(at.context.store.table('jobs').count()).toBe(Math.ceil(5000 / 7));
});
