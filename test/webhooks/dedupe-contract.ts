import type { DedupeStore } from 'contentgen/webhooks';
import { expect, test } from 'vitest';

/** What every store must do. `expire` makes all leases of the store expire. */
export function dedupeContract(
  make: () => DedupeStore | Promise<DedupeStore>,
  expire: () => void | Promise<void>,
): void {
  let count = 0;
  const fresh = async () => {
    count += 1;
    return { store: await make(), key: `key_${count}_${crypto.randomUUID()}` };
  };

  test('a claimed delivery is in flight to others, with the time left', async () => {
    const { store, key } = await fresh();
    expect(await store.claim(key, 'a')).toEqual({ state: 'claimed' });
    const other = await store.claim(key, 'b');
    expect(other).toMatchObject({ state: 'in_flight' });
    if (other.state !== 'in_flight') return;
    expect(other.leftMs).toBeGreaterThan(0);
    expect(other.leftMs).toBeLessThanOrEqual(store.leaseMs);
  });

  test('a completed delivery is done', async () => {
    const { store, key } = await fresh();
    await store.claim(key, 'a');
    await store.complete(key, 'a');
    expect(await store.claim(key, 'b')).toEqual({ state: 'done' });
    expect(await store.renew(key, 'a')).toBe(false);
    await store.release(key, 'a');
    expect(await store.claim(key, 'b')).toEqual({ state: 'done' });
  });

  test('a completed delivery can be forgotten, and one in flight cannot', async () => {
    const { store, key } = await fresh();
    expect(await store.forget(key)).toBe(false);
    await store.claim(key, 'a');
    expect(await store.forget(key)).toBe(false);
    expect(await store.renew(key, 'a')).toBe(true);
    await store.complete(key, 'a');
    expect(await store.forget(key)).toBe(true);
    expect(await store.forget(key)).toBe(false);
    expect(await store.claim(key, 'b')).toEqual({ state: 'claimed' });
  });

  test('a delivery can be released only by its holder', async () => {
    const { store, key } = await fresh();
    await store.claim(key, 'a');
    await store.release(key, 'b');
    expect(await store.claim(key, 'b')).toMatchObject({ state: 'in_flight' });
    await store.release(key, 'a');
    expect(await store.claim(key, 'b')).toEqual({ state: 'claimed' });
  });

  test('a delivery whose lease expired is free, and its old holder is fenced off', async () => {
    const { store, key } = await fresh();
    await store.claim(key, 'a');
    await expire();
    expect(await store.claim(key, 'b')).toEqual({ state: 'claimed' });
    expect(await store.renew(key, 'a')).toBe(false);
    await store.release(key, 'a');
    expect(await store.claim(key, 'c')).toMatchObject({ state: 'in_flight' });
  });

  test('a renewed lease holds', async () => {
    const { store, key } = await fresh();
    await store.claim(key, 'a');
    expect(await store.renew(key, 'a')).toBe(true);
    expect(await store.renew(key, 'b')).toBe(false);
    expect(await store.claim(key, 'b')).toMatchObject({ state: 'in_flight' });
  });

  test('one of 50 concurrent claims wins', async () => {
    const { store, key } = await fresh();
    const claims = await Promise.all(
      Array.from({ length: 50 }, (_, index) => store.claim(key, `attempt_${index}`)),
    );
    expect(claims.filter(({ state }) => state === 'claimed')).toHaveLength(1);
    expect(claims.filter(({ state }) => state === 'in_flight')).toHaveLength(49);
  });

  test('keys are used unchanged', async () => {
    const { store, key } = await fresh();
    for (const odd of [`${key}'; DROP TABLE x; --`, `${key}\n"`, `${key}ü😀`, `${key}{a}`]) {
      expect(await store.claim(odd, 'a')).toEqual({ state: 'claimed' });
      await store.complete(odd, 'a');
      expect(await store.claim(odd, 'a')).toEqual({ state: 'done' });
    }
  });
}
