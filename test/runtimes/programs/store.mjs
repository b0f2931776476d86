import { equal, report } from './report.mjs';

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
  };
  console.log(JSON.stringify(await report(claims, 'programs/store.mjs')));
  process.exit();
}
