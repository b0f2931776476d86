import { memoryDedupe } from 'contentgen/webhooks';
import { describe, expect, test } from 'vitest';
import { dedupeContract } from './dedupe-contract.ts';

let time = 1_767_225_600_000;
const now = () => time;

describe('memoryDedupe', () => {
  dedupeContract(
    () => memoryDedupe({ now }),
    () => {
      time += 60_000;
    },
  );

  test('remembers a done delivery for exactly its ttlMs', async () => {
    const store = memoryDedupe({ now, ttlMs: 864_000_000 });
    await store.claim('key', 'a');
    await store.complete('key', 'a');
    time += 864_000_000 - 1;
    expect(await store.claim('key', 'b')).toEqual({ state: 'done' });
    time += 1;
    expect(await store.claim('key', 'b')).toEqual({ state: 'claimed' });
  });

  test('drops the oldest done deliveries when it is full, never one in flight', async () => {
    const store = memoryDedupe({ now, maxEntries: 100 });
    await store.claim('held', 'a');
    for (let n = 0; n < 150; n++) {
      await store.claim(`key_${n}`, 'a');
      await store.complete(`key_${n}`, 'a');
    }
    expect(await store.claim('key_0', 'b')).toEqual({ state: 'claimed' });
    expect(await store.claim('key_149', 'b')).toEqual({ state: 'done' });
    expect(await store.claim('held', 'b')).toMatchObject({ state: 'in_flight' });
  });

  test.each([
    { leaseMs: 0 },
    { leaseMs: Number.NaN },
    { ttlMs: 10 },
    { ttlMs: Infinity },
    { maxEntries: 0 },
  ])('rejects %o', (options) => {
    expect(() => memoryDedupe(options)).toThrow(
      expect.objectContaining({ code: 'webhook_configuration' }),
    );
  });
});
