import { describe, expect, test } from 'vitest';
import { checkClock } from '../../mock-server/cli/doctor/deployment.ts';
import { auditReceiver } from '../../src/testing/index.ts';
import { createWebhookHandler } from '../../src/webhooks/index.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('the default tolerance', () => {
  test.each([
    [300, 'Synchronize the clock (NTP).'],
    [-300, 'Synchronize the clock (NTP).'],
    [301, 'every signature is rejected'],
    [-301, 'every signature is rejected'],
  ])('decides what doctor says about a clock that is off by %d s', (skewSeconds, advice) => {
    const now = Date.UTC(2026, 0, 1);
    const { verdict, detail } = checkClock(new Date(now - skewSeconds * 1000).toUTCString(), now);
    expect({ verdict, detail }).toEqual({
      verdict: 'wrong',
      detail: expect.stringContaining(advice),
    });
    if (Math.abs(skewSeconds) <= 300) expect(detail).not.toContain('every signature');
  });

  test('is what audit advises to a receiver that accepts any time', async () => {
    const handler = createWebhookHandler({ secret, tolerance: 1e6, diagnose: false });
    const report = String(await auditReceiver(handler, { secret }));
    expect(report).toContain('Reject deliveries older than 300 s.');
    expect(report).toContain('Reject deliveries more than 300 s ahead, too.');
  });
});
