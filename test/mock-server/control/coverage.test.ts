import { expect, test } from 'vitest';
import { createMockServer } from '../../../mock-server/index.ts';
import { ContentGen } from '../../../src/index.ts';
import { createWebhookHandler } from '../../../src/webhooks/index.ts';

const url = 'https://app.example/hooks';

function start(options: object = {}) {
  const mock = createMockServer({ clock: 'manual', seed: 1, ...options });
  const { baseUrl, fetch, adminKey: apiKey } = mock;
  const client = new ContentGen({ baseUrl, fetch, apiKey, logLevel: 'off' });
  const secret = mock.signingSecret;
  const { now } = mock.clock;
  mock.receivers.set(
    url,
    createWebhookHandler({ secret, now, logger: { ...console, diagnose: false }, on: {} }),
  );
  /** The situations that were met, and how often. */
  const met = () =>
    Object.fromEntries(
      mock
        .coverage()
        .filter((one) => one.met > 0)
        .map(({ name, met }) => [name, met]),
    );
  return { mock, client, met };
}

test('a mock that nobody called met nothing of about thirty situations', () => {
  const { mock, met } = start();
  expect(mock.coverage().length).toBeGreaterThan(30);
  expect(met()).toEqual({});
});

test('what the client meets is counted, for each organization', async () => {
  const { mock, client, met } = start();
  const fail = (effect: object) =>
    mock.faults.add({ operation: 'generateContent', times: 1, effect: effect as { drop: true } });
  fail({ loseAnswer: true });
  await client.content.generate({ prompt: 'one' });
  expect(met()).toEqual({ 'response lost': 1 });
  fail({ status: 503, retryAfter: 0 });
  await client.content.generate({ prompt: 'two' });
  fail({ malformed: true });
  await client.content.generate({ prompt: 'three' }, { maxRetries: 0 }).safe();
  await client.content.get('gen_none').safe();
  expect(met()).toEqual({
    ...{ 'response lost': 1, 'service unavailable': 1, 'response garbled': 1 },
    'record missing': 1,
  });
  expect(mock.coverage({ organization: 'org_other' }).some(({ met }) => met > 0)).toBe(false);
});

test('what happens to deliveries is counted', async () => {
  const { mock, client, met } = start();
  for (const effect of [
    { badSignature: true },
    { staleTimestamp: 400 },
    { drop: true },
    { loseAnswer: true },
    { duplicate: 1 },
    { delay: 1000 },
  ]) {
    mock.faults.add({ delivery: '*', times: 1, effect: effect as { drop: true } });
    await client.content.start({ prompt: 'one', webhookUrl: url });
    await mock.clock.advance('1 hour');
  }
  const job = await client.content.start({ prompt: 'two', webhookUrl: url });
  await job.cancel();
  await client.webhooks.rotateSigningSecret();
  await client.content.start({ prompt: '[[fail: no]]', webhookUrl: url });
  await mock.settle();
  expect(met()).toEqual({
    'generation failed': 1,
    'generation canceled': 1,
    'delivery lost': 1,
    'acknowledgement lost': 1,
    'delivery repeated': 1,
    'delivery late': 1,
    'signature forged': 1,
    'timestamp stale': 1,
    'secret rotated': 1,
  });
});
