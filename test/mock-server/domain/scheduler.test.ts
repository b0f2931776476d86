import { expect, test } from 'vitest';
import { redeliver } from '../../../mock-server/domain/delivery/redeliver.ts';
import { attemptTimeout } from '../../../mock-server/domain/delivery/retry-schedule.ts';
import { disableWebhook } from '../../../mock-server/domain/registration-health.ts';
import { addFault } from '../../../mock-server/domain/take-fault.ts';
import { deliverySetup, hang, second, start, status } from '../delivery/delivery-setup.ts';
import { event } from '../delivery/messages.ts';

test('a delivery whose cancellation is rolled back is still sent', async () => {
  const at = deliverySetup({ receive: hang });
  const webhook = at.webhook();
  const { id } = event(at);
  await at.settle();
  at.receive(() => status(200));
  const { store } = at.context;
  const rolledBack = () => {
    disableWebhook(at.context, webhook, 'requested');
    throw new Error('rolled back');
  };
  expect(() => store.transaction(rolledBack)).toThrow('rolled back');
  await at.settle();
  expect(at.delivery({ id }).status).toBe('delivered');
  expect(at.context.scheduler.inFlight).toBe(0);
});

test('recovered jobs run once each, in their order', async () => {
  const at = deliverySetup();
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

test('a job that was rolled back does not run in place of the one that got its id', async () => {
  const at = deliverySetup();
  at.webhook();
  const { scheduler, store } = at.context;
  const rolledBack = () => {
    scheduler.schedule('delivery.attempt', 'dlv_rolled_back', at.now());
    throw new Error('rolled back');
  };
  expect(() => store.transaction(rolledBack)).toThrow('rolled back');
  const delivery = event(at);
  await at.settle();
  expect(at.delivery(delivery).status).toBe('delivered');
});

test('an attempt whose slot frees up after a restore changes nothing in the restored state', async () => {
  const at = deliverySetup({ receive: hang });
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

test('a delivery that waits for a slot is not started twice when the queue is rebuilt', async () => {
  const at = deliverySetup({ receive: hang });
  at.webhook();
  event(at);
  const waiting = event(at);
  await at.settle();
  await at.advance(second);
  redeliver(at.context, at.delivery(waiting));
  at.context.scheduler.recover();
  expect(at.context.scheduler.nextAt()).toBe(start + attemptTimeout);
  expect(at.context.scheduler.inFlight).toBe(2);
});

test('canceled jobs do not pile up in the queue, no matter how far ahead they were due', async () => {
  const at = deliverySetup();
  const { scheduler } = at.context;
  for (let n = 0; n < 5000; n += 1) {
    scheduler.schedule('usage.period_end', `period_${n}`, at.now() + 5000 - n);
    if (n % 7 !== 0) scheduler.cancel(`period_${n}`);
  }
  expect(scheduler.nextAt()).toBe(at.now() + 5000 - 4998);
  expect(at.context.store.table('jobs').count()).toBe(Math.ceil(5000 / 7));
});
