import { describe, expect, test } from 'vitest';
import { checkClock } from '../../mock-server/cli/doctor/service.ts';
import { defaultToleranceS } from '../../src/webhooks/defaults.ts';

describe('the default tolerance', () => {
  test.each([
    [defaultToleranceS, false],
    [-defaultToleranceS, false],
    [defaultToleranceS + 1, true],
    [-defaultToleranceS - 1, true],
  ])('decides what doctor says about a clock that is off by %d s', (skewSeconds, isFatal) => {
    const now = Date.UTC(2026, 0, 1);
    const { verdict, detail } = checkClock(new Date(now - skewSeconds * 1000).toUTCString(), now);
    expect(verdict).toBe('wrong');
    expect(detail.includes('every signature is rejected')).toBe(isFatal);
  });
});
