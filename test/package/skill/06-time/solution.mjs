import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { ask } from './app.mjs';

test('the quota ends with the month', async () => {
  const mock = createMockServer({ clock: 'manual', seed: 1, quota: 1 });
  const client = new ContentGen({
    baseUrl: mock.baseUrl,
    apiKey: mock.memberKey,
    fetch: mock.fetch,
  });
  assert.equal(await ask(client, '[[say: first]]'), 'first');
  assert.equal(await ask(client, '[[say: second]]'), 'come back next month');
  await mock.clock.advance('31 days');
  assert.equal(await ask(client, '[[say: third]]'), 'third');
});
