import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextDelay, retryDelays } from '../../../mock-server/domain/delivery/retry-schedule.ts';
import { day, hour, minute, second } from './delivery-setup.ts';

fc.configureGlobal({ seed: 20260101 });

const table = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];
const wall = Date.UTC(2026, 0, 1);

describe('the schedule', () => {
  test('is 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, then ends', () => {
    expect(retryDelays).toEqual(table);
    expect(table.map((_, at) => nextDelay({ attempts: at + 1 }, 0.5, wall))).toEqual(table);
    expect(nextDelay({ attempts: 10 }, 0.5, wall)).toBeUndefined();
  });

  test('jitter stays within 20 % in both directions and reaches both limits', () => {
    for (const [at, base] of table.entries()) {
      expect(nextDelay({ attempts: at + 1 }, 0, wall)).toBe(base * 0.8);
      expect(nextDelay({ attempts: at + 1 }, 1 - Number.EPSILON, wall)).toBe(base * 1.2);
    }
    fc.assert(
      fc.property(
        fc.nat(8),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (at, fraction) => {
          const delay = nextDelay({ attempts: at + 1 }, fraction, wall) ?? -1;
          const base = table[at] ?? 0;
          return delay >= base * 0.8 && delay <= base * 1.2;
        },
      ),
    );
  });
});

describe('Retry-After', () => {
  test.each([
    ['on 429 when later', 429, '60', minute],
    ['on 503 when later', 503, '60', minute],
    ['not when earlier', 503, '1', 5 * second],
    ['not when zero', 503, '0', 5 * second],
    ['not on 500', 500, '60', 5 * second],
    ['not on 301', 301, '60', 5 * second],
    ['up to 24 hours', 503, '999999999999', day],
    ['as an HTTP date', 503, 'Thu, 01 Jan 2026 00:10:00 GMT', 10 * minute],
    ['not a date in the past', 503, 'Wed, 31 Dec 2025 00:00:00 GMT', 5 * second],
    ['not nonsense', 503, 'soon', 5 * second],
  ])('is obeyed: %s', (_, status, retryAfter, expected) => {
    expect(nextDelay({ attempts: 1, status, retryAfter }, 0.5, wall)).toBe(expected);
  });
});
