import { expect, test } from 'vitest';
import { ContentGen } from '../../../src/index.ts';
import { createWebhookHandler } from '../../../src/webhooks/index.ts';
import { invoke, served } from './invoke.ts';

const url = 'https://app.example/webhooks';

/** A server whose receiver was down for six days, in which two results and an event were sent. */
async function afterOutage() {
  const { mock, url: baseUrl } = await served();
  const client = new ContentGen({ baseUrl, apiKey: mock.adminKey });
  const { secret, id } = await client.webhooks.create({ event: 'invoice_paid', url });
  const handled: string[] = [];
  const handler = createWebhookHandler({
    secret: [mock.signingSecret, secret],
    now: mock.clock.now,
    on: {
      generation_completed: (event) => void handled.push(event.type),
      invoice_paid: (event) => void handled.push(event.type),
    },
  });
  mock.receivers.set(url, async () => new Response('', { status: 503 }));
  for (const prompt of ['a', 'b']) await client.content.start({ prompt, webhookUrl: url });
  mock.trigger('invoice_paid', {});
  await mock.clock.advance('4 days');
  mock.receivers.set(url, handler);
  const reconcile = (...args: string[]) => invoke(['reconcile', '--url', baseUrl, ...args]);
  return { mock, client, id, handled, reconcile };
}

test('contentgen reconcile resends everything that a receiver has missed', async () => {
  const { mock, handled, reconcile } = await afterOutage();
  const { code, out } = await reconcile('--since', '5 days');
  expect(code).toBe(0);
  expect(out).toContain('checked 3, resent 3, failed 0');
  await mock.settle();
  expect(handled.sort()).toEqual(['generation_completed', 'generation_completed', 'invoice_paid']);
  const again = await reconcile('--since', '5 days', '--json');
  expect(JSON.parse(again.out)).toMatchObject({
    checked: 3,
    delivered: 0,
    failed: 0,
    failures: [],
  });
});

test('contentgen reconcile accepts a key, and goes back no further than --since', async () => {
  const { mock, reconcile } = await afterOutage();
  // With a key, this machine's clock counts. A minute after everything that was missed:
  const since = new Date(Date.now() + 60_000).toISOString();
  const { out } = await reconcile('--since', since, '--api-key', mock.adminKey);
  expect(out).toContain('checked 0, resent 0, failed 0');
});

test('contentgen reconcile names what cannot be resent, and exits with 1', async () => {
  const { client, id, reconcile } = await afterOutage();
  await client.webhooks.update(id, { status: 'disabled' });
  const { code, out } = await reconcile('--since', '5 days');
  expect({ code, out }).toEqual({
    code: 1,
    out: expect.stringMatching(/failed msg_\w+ {2}The registration is disabled/),
  });
});

test.each([
  [['--since', 'yesterday'], "--since must be a duration such as '3 days'"],
  [[], '--since'],
])('contentgen reconcile %j prints one line and exits with 2', async (args, line) => {
  const { reconcile } = await afterOutage();
  const { code, err } = await reconcile(...args);
  expect(code).toBe(2);
  expect(err).toContain(line);
});
