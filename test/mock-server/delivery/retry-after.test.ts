import { expect, test } from 'vitest';
import { nextDelay, retryDelays } from '../../../mock-server/domain/delivery/retry-schedule.ts';
import { day, minute } from './delivery-setup.ts';

/** The model of the service and the documents say which delays these are. */
const [first = 0] = retryDelays;
const wall = Date.UTC(2026, 0, 1);

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
])('Retry-After is obeyed: %s', (_, status, retryAfter, expected) => {
  expect(nextDelay({ attempts: 1, status, retryAfter }, 0.5, wall)).toBe(expected);
});
