import { expect, test } from 'vitest';
import { createMockServer, type FaultOptions } from '../../../mock-server/index.ts';
import { ContentGen } from '../../../src/index.ts';
import { createWebhookHandler } from '../../../src/webhooks/index.ts';

const webhookUrl = 'https://app.example/hooks';

test('the situations that a client meets are counted', async () => {
  const mock = createMockServer({ clock: 'manual', seed: 1 });
  const client = new ContentGen({ ...mock.adminOptions, logLevel: 'off' });
  const { now } = mock.clock;
  const logger = { ...console, diagnose: false };
  const receive = createWebhookHandler({ secret: mock.signingSecret, now, logger, on: {} });
  mock.receivers.set(webhookUrl, receive);
  /** The situations that were met, and how often. */
  const met = () =>
    Object.fromEntries(mock.coverage().flatMap(({ name, met }) => (met > 0 ? [[name, met]] : [])));
  const fail = (effect: object, delivery?: string) => {
    const target = delivery === undefined ? { operation: 'generateContent' } : { delivery };
    mock.faults.add({ ...target, times: 1, effect } as FaultOptions);
  };
  expect(mock.coverage().length).toBeGreaterThan(30);
  expect(met(), 'nobody called').toEqual({});

  fail({ loseAnswer: true });
  await client.content.generate({ prompt: 'one' });
  expect(met()).toEqual({ 'response lost': 1 });
  fail({ status: 503 });
  await client.content.generate({ prompt: 'two' });
  fail({ malformed: true });
  await client.content.generate({ prompt: 'three' }, { maxRetries: 0 }).safe();
  await client.content.get('gen_none').safe();
  const ofCalls = { 'response lost': 1, 'service unavailable': 1, 'response garbled': 1 };
  expect(met()).toEqual({ ...ofCalls, 'record missing': 1 });

  mock.reset();
  for (const effect of [
    ...[{ badSignature: true }, { staleTimestamp: 400 }, { drop: true }, { loseAnswer: true }],
    ...[{ duplicate: 1 }, { delay: 1000 }],
  ]) {
    fail(effect, '*');
    await client.content.start({ prompt: 'one', webhookUrl });
    await mock.clock.advance('1 hour');
  }
  await (await client.content.start({ prompt: 'two', webhookUrl })).cancel();
  await client.webhooks.rotateSigningSecret();
  await client.content.start({ prompt: '[[fail: no]]', webhookUrl });
  await mock.settle();
  const names = [
    ...['generation failed', 'generation canceled', 'delivery lost', 'acknowledgement lost'],
    ...['delivery repeated', 'delivery late', 'signature forged', 'timestamp stale'],
    'secret rotated',
  ];
  expect(met()).toEqual(Object.fromEntries(names.map((name) => [name, 1])));
});
