import { deliver, sampleEvent } from 'contentgen/testing';
import { createWebhookHandler } from 'contentgen/webhooks';
import { equal, report } from './report.mjs';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** How a client of a store must report what the store answered; prints the result and ends the process. */
export async function tryStore(name, store) {
  const state = async (key, attempt) => (await store.claim(key, attempt)).state;
  const claims = {
    [`${name}: a delivery is claimed, renewed, completed and forgotten by its holder only`]:
      async () => {
        const key = `${crypto.randomUUID()}'; DROP TABLE x; --\n"ü😀{a}`;
        equal([await state(key, 'a'), await state(key, 'b')], ['claimed', 'in_flight']);
        const { leftMs } = await store.claim(key, 'b');
        equal(leftMs > 0 && leftMs <= store.leaseMs, true);
        equal([await store.renew(key, 'a'), await store.renew(key, 'b')], [true, false]);
        await store.release(key, 'b');
        equal([await state(key, 'b'), await store.forget(key)], ['in_flight', false]);
        await store.release(key, 'a');
        equal(await state(key, 'b'), 'claimed');
        await store.complete(key, 'b');
        equal([await state(key, 'a'), await store.forget(key)], ['done', true]);
      },
    [`${name}: one of 50 claims at once wins`]: async () => {
      const key = crypto.randomUUID();
      const states = await Promise.all(Array.from({ length: 50 }, (_, i) => state(key, `${i}`)));
      equal(states.filter((found) => found === 'claimed').length, 1);
    },
    [`${name}: only one of the copies delivered at once has an effect`]: async () => {
      let effects = 0;
      const receive = createWebhookHandler({
        ...{ secret, dedupe: store },
        on: { usage_threshold: () => void effects++ },
      });
      const event = sampleEvent('usage_threshold');
      const sent = await Promise.all(
        [1, 2, 3, 4, 5].map(() => deliver(receive, event, { secret })),
      );
      equal([sent.some(({ ok }) => ok), effects], [true, 1]);
    },
  };
  console.log(JSON.stringify(await report(claims, 'programs/store.mjs')));
  process.exit();
}
