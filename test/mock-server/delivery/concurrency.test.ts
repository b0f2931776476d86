import { expect, test } from 'vitest';
import { ConcurrencyLimiter, type Slot } from '../../../mock-server/domain/delivery/concurrency.ts';

/** Acquires slots and keeps those that were granted, in their order. A key is `origin` or `origin/endpoint`. */
function slotsOf(limiter = new ConcurrencyLimiter()) {
  const held: Slot[] = [];
  function acquire(key: string, { times = 1, isRetry = false } = {}): Slot[] {
    const [origin = ''] = key.split('/');
    return Array.from({ length: times }, () => {
      const slot = limiter.acquire({ origin, key, isRetry });
      const keep = () => slot.state === 'taken' && held.push(slot);
      keep();
      slot.wake = keep;
      return slot;
    });
  }
  /** Gives back the oldest slot whose key begins so. Returns whether there was one. */
  function serve(start: string, responded = true): boolean {
    const at = held.findIndex(({ queue }) => queue.key.startsWith(start));
    const [slot] = held.splice(at, at < 0 ? 0 : 1);
    if (slot) limiter.release(slot, responded);
    return slot !== undefined;
  }
  const count = (start = '') => held.filter(({ queue }) => queue.key.startsWith(start)).length;
  return { limiter, held, acquire, serve, count };
}

test('an origin gets one attempt at once until it responds, then ten, and one again when it is silent', () => {
  const { acquire, serve, count } = slotsOf();
  acquire('a/1', { times: 50 });
  acquire('a/2', { times: 50 });
  expect(count()).toBe(1);
  serve('a');
  expect(count()).toBe(10);
  serve('a', false);
  for (let n = 0; n < 9; n += 1) serve('a', false);
  expect(count()).toBe(1);
});

test('an endpoint leaves its origin a slot, so that one that hangs does not delay another', () => {
  const { acquire, serve, count } = slotsOf();
  acquire('a/live');
  serve('a/live');
  acquire('a/hangs', { times: 50 });
  expect(count()).toBe(9);
  acquire('a/live', { times: 20 });
  for (let n = 0; n < 20; n += 1) expect(serve('a/live')).toBe(true);
});

test('an endpoint that has hung gets one slot at once, while its origin responds to others', () => {
  const { acquire, serve, count } = slotsOf();
  acquire('a/live');
  serve('a/live');
  acquire('a/hangs', { times: 50 });
  acquire('a/live', { times: 20 });
  for (let n = 0; n < 10; n += 1) serve('a/hangs', false);
  for (let n = 0; n < 20; n += 1) expect(serve('a/live')).toBe(true);
  expect(count('a/hangs')).toBe(1);
});

test('silent hosts together get half of a thousand slots, however many they are', () => {
  const { acquire, serve, count } = slotsOf();
  for (let host = 0; host < 60; host += 1) {
    acquire(`live-${host}`);
    serve('live');
  }
  for (let host = 0; host < 700; host += 1) acquire(`dead-${host}`);
  expect(count()).toBe(500);
  for (let host = 0; host < 60; host += 1) acquire(`live-${host}`, { times: 20 });
  expect([count('dead'), count('live')]).toEqual([500, 500]);
  serve('dead', false);
  expect([count('dead'), count('live')]).toEqual([499, 501]);
  serve('live');
  expect([count('dead'), count('live')]).toEqual([499, 501]);
});

test('first attempts go before retries, of an endpoint and of all', () => {
  const { held, acquire, serve } = slotsOf();
  for (let host = 0; host < 500; host += 1) acquire(`dead-${host}`);
  acquire('a', { isRetry: true });
  acquire('b', { isRetry: true });
  acquire('b');
  acquire('c');
  for (let n = 0; n < 2; n += 1) serve('dead', false);
  expect(held.slice(-2).map(({ queue }) => queue.key)).toEqual(['b', 'c']);
  serve('dead', false);
  expect(held.at(-1)?.queue.key).toBe('a');
});

test('an attempt that is canceled stops waiting, or gives back its slot, once', () => {
  const { limiter, acquire, count } = slotsOf();
  const [first, second] = acquire('a', { times: 4 }) as [Slot, Slot];
  expect(count()).toBe(1);
  limiter.release(second);
  limiter.release(first);
  limiter.release(first, true);
  expect(count()).toBe(2);
});
