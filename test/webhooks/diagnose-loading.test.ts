import { expect, test, vi } from 'vitest';
import { createWebhookHandler } from '../../src/webhooks/index.ts';
import { now, otherSecret, recorder, request, secret, usage } from './support.ts';

const chunk = '../../src/webhooks/diagnose.ts';

test('a diagnosis that cannot be loaded does not change the rejection, and loading is retried the next time', async () => {
  const logger = recorder(true);
  let time = now();
  const handler = createWebhookHandler({ secret, now: () => time, logger });
  const rejected = async () => {
    const response = await handler(await request(usage, { secret: otherSecret }));
    return [response.status, await response.json()];
  };
  vi.doMock(chunk, () => {
    throw new Error('EMFILE: too many open files');
  });
  expect(await rejected()).toEqual([400, { code: 'signature_mismatch' }]);
  expect(logger.lines).toEqual([expect.stringContaining('Rejected a webhook')]);
  vi.doUnmock(chunk);
  time += 1000;
  expect(await rejected()).toEqual([400, { code: 'signature_mismatch' }]);
  expect(logger.lines[1]).toContain('another endpoint');
});
