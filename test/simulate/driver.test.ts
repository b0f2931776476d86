import { memoryDedupe } from 'contentgen/webhooks';
import { afterEach, expect, test } from 'vitest';
import { type Driver, drive, randomId } from '../../src/platform/driver.ts';

const frozen: Driver = {
  now: () => 1000,
  elapsed: () => 0,
  setTimer: () => 1,
  setRepeatingTimer: () => 1,
  clearTimer: () => {},
  random: () => 0.5,
  randomId: () => 'driven',
};

afterEach(() => drive(undefined));

test('a driver replaces time and randomness, also for what was made before', async () => {
  const dedupe = memoryDedupe({ leaseMs: 1000 });
  drive(frozen);
  expect(randomId()).toBe('driven');
  expect(await dedupe.claim('a', 'first')).toEqual({ state: 'claimed' });
  drive({ ...frozen, now: () => 1400 });
  expect(await dedupe.claim('a', 'second')).toEqual({ state: 'in_flight', leftMs: 600 });
});

test('without a driver the platform is used', () => {
  expect(randomId()).toMatch(/^[\da-f-]{36}$/);
});
