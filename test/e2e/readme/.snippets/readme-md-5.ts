import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { createWebhookHandler } from 'contentgen/webhooks';

test('the result arrives, although the receiver is down at first', async () => {
  const mock = createMockServer({ clock: 'manual', seed: 1 });
  const client = new ContentGen(mock.clientOptions);
  const results = new Set();
  const receive = createWebhookHandler({
    secret: mock.signingSecret,
    now: mock.clock.now,
    on: { generation_completed: ({ payload }) => void results.add(payload.result) },
  });
  mock.receivers.set('https://app.example/callbacks', receive);
  mock.faults.add({ delivery: 'generation_completed', times: 3, effect: { drop: true } });

  await client.content.start({ prompt: 'Hi', webhookUrl: 'https://app.example/callbacks' });
  await mock.clock.advance('1 hour'); // three failed attempts, then one that arrives
  assert.equal(results.size, 1);
});
