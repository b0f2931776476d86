import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextDelay, retryDelays } from '../../../mock-server/domain/delivery/retry-schedule.ts';
import { day, minute } from './delivery-setup.ts';

fc.configureGlobal({ seed: 20260101 });

/** The model of the service and the documents say which delays these are. */
const [first = 0] = retryDelays;
const wall = Date.UTC(2026, 0, 1);

describe('the schedule', () => {
  test('is followed without jitter at its middle, then ends', () => {
    const delays = retryDelays.map((_, at) => nextDelay({ attempts: at + 1 }, 0.5, wall));
    expect(delays).toEqual(retryDelays);
    expect(nextDelay({ attempts: retryDelays.length + 1 }, 0.5, wall)).toBeUndefined();
  });

  test('jitter stays within 20 % in both directions and reaches both limits', () => {
    for (const [at, base] of retryDelays.entries()) {
      expect(nextDelay({ attempts: at + 1 }, 0, wall)).toBe(base * 0.8);
      expect(nextDelay({ attempts: at + 1 }, 1 - Number.EPSILON, wall)).toBe(base * 1.2);
    }
    fc.assert(
      fc.property(
        fc.nat(retryDelays.length - 1),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (at, fraction) => {
          const delay = nextDelay({ attempts: at + 1 }, fraction, wall) ?? -1;
          const base = retryDelays[at] ?? 0;
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
    ['not when earlier', 503, '1', first],
    ['not when zero', 503, '0', first],
    ['not on 500', 500, '60', first],
    ['not on 301', 301, '60', first],
    ['up to 24 hours', 503, '999999999999', day],
    ['as an HTTP date', 503, 'Thu, 01 Jan 2026 00:10:00 GMT', 10 * minute],
    ['not a date in the past', 503, 'Wed, 31 Dec 2025 00:00:00 GMT', first],
    ['not nonsense', 503, 'soon', first],
  ])('is obeyed: %s', (_, status, retryAfter, expected) => {
    expect(nextDelay({ attempts: 1, status, retryAfter }, 0.5, wall)).toBe(expected);
  });
});
