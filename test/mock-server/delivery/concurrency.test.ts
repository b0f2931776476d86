import { expect, test } from 'vitest';
import {
  ConcurrencyLimiter,
  type Release,
} from '../../../mock-server/domain/delivery/concurrency.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

interface AcquireOptions {
  readonly times?: number;
  readonly isRetry?: boolean;
  readonly signal?: AbortSignal;
}

/** Acquires slots and keeps those that were granted. A key is `origin` or `origin/endpoint`. */
function slotsOf(limiter = new ConcurrencyLimiter()) {
  const held: { readonly key: string; readonly release: Release }[] = [];
  function acquire(key: string, { times = 1, isRetry = false, signal }: AcquireOptions = {}): void {
    const [origin = ''] = key.split('/');
    for (let n = 0; n < times; n += 1) {
      // One signal with thousands of listeners would take most of the time.
      const own = signal ?? new AbortController().signal;
      const slot = limiter.acquire({ origin, key, isRetry }, own);
      void Promise.resolve(slot).then((release) => release && held.push({ key, release }));
    }
  }
  /** Gives back the oldest slot whose key begins so. Returns whether there was one. */
  async function serve(start: string, responded = true): Promise<boolean> {
    await turn();
    const at = held.findIndex(({ key }) => key.startsWith(start));
    held.splice(at, at < 0 ? 0 : 1)[0]?.release(responded);
    await turn();
    return at >= 0;
  }
  const count = (start = '') => held.filter(({ key }) => key.startsWith(start)).length;
  return { held, acquire, serve, count };
}

test('an origin gets one attempt at once until it responds, then ten, and one again when it is silent', async () => {
  const { acquire, serve, count } = slotsOf();
  acquire('a/1', { times: 50 });
  acquire('a/2', { times: 50 });
  await turn();
  expect(count()).toBe(1);
  await serve('a');
  expect(count()).toBe(10);
  await serve('a', false);
  for (let n = 0; n < 9; n += 1) await serve('a', false);
  expect(count()).toBe(1);
});

test('an endpoint leaves its origin a slot, so that one that hangs does not delay another', async () => {
  const { acquire, serve, count } = slotsOf();
  acquire('a/live');
  await serve('a/live');
  acquire('a/hangs', { times: 50 });
  await turn();
  expect(count()).toBe(9);
  acquire('a/live', { times: 20 });
  for (let n = 0; n < 20; n += 1) expect(await serve('a/live')).toBe(true);
});

test('ten thousand attempts to hosts that are silent delay neither a host that responds nor a new one', async () => {
  const { acquire, serve, count } = slotsOf();
  acquire('live');
  await serve('live');
  for (let host = 0; host < 400; host += 1) acquire(`dead-${host}`, { times: 25 });
  await turn();
  expect(count('dead')).toBe(400);
  acquire('live', { times: 30 });
  for (let n = 0; n < 30; n += 1) expect(await serve('live')).toBe(true);
  acquire('new', { times: 30 });
  for (let n = 0; n < 30; n += 1) expect(await serve('new')).toBe(true);
});

test('silent hosts together get half of a thousand slots, however many they are', async () => {
  const { acquire, serve, count } = slotsOf();
  for (let host = 0; host < 60; host += 1) {
    acquire(`live-${host}`);
    await serve('live');
  }
  for (let host = 0; host < 700; host += 1) acquire(`dead-${host}`);
  await turn();
  expect(count()).toBe(500);
  for (let host = 0; host < 60; host += 1) acquire(`live-${host}`, { times: 20 });
  await turn();
  expect([count('dead'), count('live')]).toEqual([500, 500]);
  await serve('dead', false);
  expect([count('dead'), count('live')]).toEqual([499, 501]);
  await serve('live');
  expect([count('dead'), count('live')]).toEqual([499, 501]);
});

test('first attempts go before retries, of an endpoint and of all', async () => {
  const { held, acquire, serve } = slotsOf();
  for (let host = 0; host < 500; host += 1) acquire(`dead-${host}`);
  acquire('a', { isRetry: true });
  acquire('b', { isRetry: true });
  acquire('b');
  acquire('c');
  await turn();
  for (let n = 0; n < 2; n += 1) await serve('dead', false);
  expect(held.slice(-2).map(({ key }) => key)).toEqual(['b', 'c']);
  await serve('dead', false);
  expect(held.at(-1)?.key).toBe('a');
});

test('an attempt that is aborted stops waiting, and gives back a slot that it has taken', async () => {
  const { acquire, count } = slotsOf();
  const [first, second] = [new AbortController(), new AbortController()];
  acquire('a', { signal: first.signal });
  acquire('a', { signal: second.signal });
  acquire('a');
  acquire('b', { signal: AbortSignal.abort() });
  await turn();
  expect(count()).toBe(1);
  second.abort();
  first.abort();
  await turn();
  expect(count()).toBe(2);
});
