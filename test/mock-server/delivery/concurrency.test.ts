import { expect, test } from 'vitest';
import {
  ConcurrencyLimiter,
  type Release,
} from '../../../mock-server/domain/delivery/concurrency.ts';

const never = new AbortController().signal;
const turn = () => new Promise((resolve) => setImmediate(resolve));

const limiterOf = (perEndpoint: number, healthy: number, failing: number) =>
  new ConcurrencyLimiter({ perEndpoint, healthy, failing });

/** Acquires slots and keeps those that were granted. */
function slotsOf(limiter: ConcurrencyLimiter) {
  const held: { key: string; release: Release }[] = [];
  const acquire = (key: string, failing = false, signal = never) =>
    void Promise.resolve(limiter.acquire(key, failing, signal)).then((release) => {
      if (release) held.push({ key, release });
    });
  return { held, acquire };
}

test('an endpoint starts with one attempt at once and doubles with every success', async () => {
  const { held, acquire } = slotsOf(limiterOf(4, 100, 100));
  for (let n = 0; n < 20; n += 1) acquire('a');
  await turn();
  expect(held).toHaveLength(1);
  const sizes = [];
  while (held.length > 0) {
    held.shift()?.release(true);
    await turn();
    sizes.push(held.length);
  }
  expect(sizes.slice(0, 3)).toEqual([2, 4, 4]);
  expect(Math.max(...sizes)).toBe(4);
  expect(sizes).toHaveLength(20);
});

test('a failure limits an endpoint to one attempt at once again', async () => {
  const { held, acquire } = slotsOf(limiterOf(8, 100, 100));
  for (let n = 0; n < 40; n += 1) acquire('a');
  await turn();
  for (let n = 0; n < 4; n += 1) {
    held.shift()?.release(true);
    await turn();
  }
  expect(held.length).toBeGreaterThan(4);
  for (const { release } of held.splice(0)) release(false);
  await turn();
  expect(held).toHaveLength(1);
});

test('failing endpoints fill only their own pool of slots', async () => {
  const { held, acquire } = slotsOf(limiterOf(2, 3, 2));
  for (let n = 0; n < 10; n += 1) acquire(`dead-${n}`, true);
  await turn();
  expect(held).toHaveLength(2);
  for (let n = 0; n < 10; n += 1) acquire(`live-${n}`);
  await turn();
  expect(held.filter(({ key }) => key.startsWith('live'))).toHaveLength(3);
});

test('an endpoint whose first attempt hangs holds one healthy slot, no matter how many attempts wait for it', async () => {
  const { held, acquire } = slotsOf(limiterOf(50, 3, 1));
  for (let n = 0; n < 100; n += 1) acquire('hanging');
  for (let n = 0; n < 10; n += 1) acquire('live');
  await turn();
  let served = 0;
  for (;;) {
    const at = held.findIndex(({ key }) => key === 'live');
    if (at < 0) break;
    held.splice(at, 1)[0]?.release(true);
    served += 1;
    await turn();
  }
  expect(served).toBe(10);
  expect(held.map(({ key }) => key)).toEqual(['hanging']);
});

test('endpoints take turns at free slots', async () => {
  const { held, acquire } = slotsOf(limiterOf(9, 1, 1));
  for (const key of ['a', 'a', 'a', 'b', 'b', 'c']) acquire(key);
  await turn();
  const order = [];
  while (held.length > 0) {
    const slot = held.shift();
    order.push(slot?.key);
    slot?.release(true);
    await turn();
  }
  expect(order.join('')).toBe('abcaba');
});

test('an attempt that stops waiting is skipped, and the others continue', async () => {
  const { held, acquire } = slotsOf(limiterOf(1, 1, 1));
  const controller = new AbortController();
  acquire('a');
  acquire('a', false, controller.signal);
  acquire('a');
  acquire('b', false, AbortSignal.abort());
  await turn();
  controller.abort();
  expect(held).toHaveLength(1);
  held.shift()?.release(true);
  await turn();
  expect(held).toHaveLength(1);
  held.shift()?.release(true);
  await turn();
  expect(held).toHaveLength(0);
});
