import { expect, test } from 'vitest';
import { disableWebhook } from '../../../mock-server/domain/registration-health.ts';
import { addFault } from '../../../mock-server/domain/take-fault.ts';
import { deliverySetup, hang, status } from '../delivery/delivery-setup.ts';
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
