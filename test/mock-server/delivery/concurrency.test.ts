import { expect, test } from 'vitest';
import {
  ConcurrencyLimiter,
  type Release,
} from '../../../mock-server/domain/delivery/concurrency.ts';

const never = new AbortController().signal;
const turn = () => new Promise((resolve) => setImmediate(resolve));

const limiterOf = (perEndpoint: number, healthy: number, failing: number, untried = 100) =>
  new ConcurrencyLimiter(() => {}, { perEndpoint, healthy, untried, failing });

const good = { succeeded: true, responded: true };
const refused = { succeeded: false, responded: true };
const silent = { succeeded: false, responded: false };

/** Acquires slots and keeps those that were granted. A key is `project/origin`, with `/path` where it matters. */
function slotsOf(limiter: ConcurrencyLimiter) {
  const held: { key: string; release: Release }[] = [];
  const acquire = (key: string, failing = false, signal = never) => {
    const [project = '', origin = ''] = key.split('/');
    const endpoint = { project, origin, key, failing };
    void Promise.resolve(limiter.acquire(endpoint, signal)).then((release) => {
      if (release) held.push({ key, release });
    });
  };
  /** Gives back every slot whose key begins so, again and again. Returns how many there were. */
  async function serve(start: string, result = good): Promise<number> {
    await turn();
    for (let served = 0; ; served += 1) {
      const at = held.findIndex(({ key }) => key.startsWith(start));
      if (at < 0) return served;
      held.splice(at, 1)[0]?.release(result);
      await turn();
    }
  }
  return { held, acquire, serve };
}

test('an endpoint starts with one attempt at once and doubles with every success', async () => {
  const { held, acquire } = slotsOf(limiterOf(4, 100, 100));
  for (let n = 0; n < 20; n += 1) acquire('a');
  await turn();
  expect(held).toHaveLength(1);
  const sizes = [];
  while (held.length > 0) {
    held.shift()?.release(good);
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
    held.shift()?.release(good);
    await turn();
  }
  expect(held.length).toBeGreaterThan(4);
  for (const { release } of held.splice(0)) release(refused);
  await turn();
  expect(held).toHaveLength(1);
});

test('an origin that was never tried does not wait behind two thousand of its project that are silent', async () => {
  const timers: (() => void)[] = [];
  const { held, acquire } = slotsOf(new ConcurrencyLimiter((_, run) => void timers.push(run)));
  const isHeld = (key: string) => held.some((slot) => slot.key === key);
  for (let n = 0; n < 2000; n += 1) acquire(`p/dead-${n}`);
  acquire('p/beside');
  for (let n = 0; n < 100; n += 1) {
    await turn();
    timers.shift()?.();
  }
  await turn();
  expect(isHeld('p/beside')).toBe(true);
  acquire('p/later');
  await turn();
  expect(isHeld('p/later')).toBe(true);
  // Each step lets a few more try, the oldest too, and never many at once.
  expect(isHeld('p/dead-300')).toBe(true);
  expect(held.length).toBeLessThan(1500);
  for (const { release } of held.splice(0)) release(silent);
  await turn();
  expect(held.length).toBeGreaterThan(200);
});

test('origins that are silent and origins that were never tried leave the slots of those that respond free', async () => {
  const { held, acquire, serve } = slotsOf(limiterOf(2, 6, 4, 4));
  acquire('p/live');
  expect(await serve('p/live')).toBe(1);
  for (let n = 0; n < 10; n += 1) acquire(`p/dead-${n}`, true);
  for (let n = 0; n < 10; n += 1) acquire(`p/new-${n}`);
  for (let n = 0; n < 10; n += 1) acquire('p/live');
  await turn();
  expect(held).toHaveLength(2 + 2 + 1);
  expect(await serve('p/live')).toBe(10);
});

test('an origin that never responds holds one slot, no matter how many endpoints it has', async () => {
  const { held, acquire, serve } = slotsOf(limiterOf(50, 4, 2, 4));
  for (let n = 0; n < 100; n += 1) acquire(`p/hanging/${n}`);
  for (let n = 0; n < 3; n += 1) acquire(`p/live-${n}`);
  await turn();
  expect(held.filter(({ key }) => key.includes('hanging'))).toHaveLength(2);
  expect(await serve('p/live')).toBe(3);
});

test('what waits for the first response of an origin moves to the healthy slots with it', async () => {
  const { held, acquire, serve } = slotsOf(limiterOf(50, 100, 2, 4));
  for (let n = 0; n < 3; n += 1) acquire(`p/dead-${n}`, true);
  for (let n = 0; n < 20; n += 1) acquire(`p/live/${n}`);
  expect(await serve('p/live')).toBe(20);
  expect(held.map(({ key }) => key)).toEqual(['p/dead-0']);
});

test('an origin is remembered after its last attempt', async () => {
  const { held, acquire, serve } = slotsOf(limiterOf(2, 4, 1, 4));
  acquire('p/dead/1');
  await serve('p/dead', silent);
  acquire('p/dead/2');
  acquire('p/dead/3');
  acquire('p/other');
  await turn();
  expect(held.map(({ key }) => key)).toEqual(['p/dead/2', 'p/other']);
});

test('a project leaves as many slots free as it holds, and projects take turns', async () => {
  const { held, acquire, serve } = slotsOf(limiterOf(50, 8, 8, 8));
  for (let n = 0; n < 100; n += 1) acquire(`a/${n}`);
  await turn();
  expect(held).toHaveLength(4);
  for (let n = 0; n < 5; n += 1) acquire(`b/${n}`);
  expect(await serve('b')).toBe(5);
  for (let n = 5; n < 10; n += 1) acquire(`b/${n}`);
  for (let n = 0; n < 5; n += 1) acquire(`c/${n}`);
  await turn();
  expect(held.map(({ key }) => key[0]).join('')).toBe('aaaabbc');
});

test('endpoints take turns at free slots', async () => {
  const { held, acquire, serve } = slotsOf(limiterOf(9, 1, 1, 1));
  for (const key of ['p/a', 'p/b', 'p/c', 'p/x']) acquire(key);
  await serve('p');
  for (const key of ['p/x', 'p/a', 'p/a', 'p/a', 'p/b', 'p/b', 'p/c']) acquire(key);
  await turn();
  held.shift()?.release(good);
  await turn();
  const order = [];
  while (held.length > 0) {
    const slot = held.shift();
    order.push(slot?.key.at(-1));
    slot?.release(good);
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
  held.shift()?.release(good);
  await turn();
  expect(held).toHaveLength(1);
  held.shift()?.release(good);
  await turn();
  expect(held).toHaveLength(0);
});
