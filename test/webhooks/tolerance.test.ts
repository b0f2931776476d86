import { describe, expect, test } from 'vitest';
import { checkClock } from '../../mock-server/cli/doctor/service.ts';
import { auditReceiver } from '../../src/testing/index.ts';
import { defaultToleranceS } from '../../src/webhooks/defaults.ts';
import { createWebhookHandler } from '../../src/webhooks/index.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const logger = { ...console, diagnose: false };

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

  test('is what audit advises to a receiver that accepts any time', async () => {
    const anyTime = (request: Request) => {
      const sentAt = Number(request.headers.get('webhook-timestamp')) * 1000;
      return createWebhookHandler({ secret, now: () => sentAt, logger })(request);
    };
    const report = String(await auditReceiver(anyTime, { secret }));
    expect(report).toContain(`Reject deliveries older than ${defaultToleranceS} s.`);
    expect(report).toContain(`Reject deliveries more than ${defaultToleranceS} s ahead, too.`);
  });
});
