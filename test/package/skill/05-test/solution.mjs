import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { deliver, sampleEvent } from 'contentgen/testing';
import { collect } from './app.mjs';

const url = 'https://app.example/webhooks';

function setUp() {
  const mock = createMockServer({ clock: 'manual', seed: 1 });
  const client = new ContentGen({
    baseUrl: mock.baseUrl,
    apiKey: mock.adminKey,
    fetch: mock.fetch,
  });
  const app = collect({ client, secret: mock.signingSecret, now: mock.clock.now });
  mock.receivers.set(url, app.POST);
  return { mock, app };
}

test('each result arrives as generated, although the receiver is down for an hour', async () => {
  const { mock, app } = setUp();
  const fault = mock.faults.add({ delivery: '*', effect: { drop: true } });
  const first = await app.ask('[[say: one]]', url);
  const second = await app.ask('[[say: two]]', url);
  await mock.clock.advance('1 hour');
  assert.equal(app.results.size, 0);
  mock.faults.remove(fault.id);
  await mock.clock.advance('3 days');
  assert.deepEqual(
    [...app.results].sort(),
    [
      [first.requestId, 'one'],
      [second.requestId, 'two'],
    ].sort(),
  );
});

test('a forged delivery changes nothing', async () => {
  const { mock, app } = setUp();
  const secret = mock.signingSecret;
  const event = sampleEvent('generation_completed');
  for (const tamper of ['body', 'signature']) {
    const { ok } = await deliver(app.POST, event, { secret, tamper, now: mock.clock.now });
    assert.equal(ok, true);
  }
  assert.equal(app.results.size, 0);
});
