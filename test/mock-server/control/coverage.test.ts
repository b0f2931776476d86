import { expect, test } from 'vitest';
import { createMockServer } from '../../../mock-server/index.ts';
import { ContentGen } from '../../../src/index.ts';
import { createWebhookHandler } from '../../../src/webhooks/index.ts';
import { invoke, served } from '../cli/invoke.ts';

const url = 'https://app.example/hooks';

function start(options: object = {}) {
  const mock = createMockServer({ clock: 'manual', seed: 1, ...options });
  const { baseUrl, fetch, adminKey: apiKey } = mock;
  const client = new ContentGen({ baseUrl, fetch, apiKey, logLevel: 'off' });
  const secret = mock.signingSecret;
  const { now } = mock.clock;
  mock.receivers.set(url, createWebhookHandler({ secret, now, diagnose: false, on: {} }));
  /** The situations that were met, as `met handled`. */
  const met = () =>
    Object.fromEntries(
      mock
        .coverage()
        .filter((one) => one.met > 0)
        .map(({ name, met, handled }) => [name, `${met} ${handled}`]),
    );
  return { mock, client, met };
}

test('a mock that nobody called met nothing of about thirty situations', () => {
  const { mock, met } = start();
  expect(mock.coverage().length).toBeGreaterThan(30);
  expect(met()).toEqual({});
});

test('what the client retries is met and handled', async () => {
  const { mock, client, met } = start();
  const fail = (effect: object) =>
    mock.faults.add({ operation: 'generateContent', times: 1, effect: effect as { drop: true } });
  fail({ loseAnswer: true });
  await client.content.generate({ prompt: 'one' });
  expect(met()).toEqual({ 'response lost': '1 1' });
  fail({ status: 503, retryAfter: 0 });
  await client.content.generate({ prompt: 'two' });
  fail({ malformed: true });
  await client.content.generate({ prompt: 'three' }, { maxRetries: 0 }).safe();
  await client.content.get('gen_none').safe();
  expect(met()).toEqual({
    ...{ 'response lost': '1 1', 'service unavailable': '1 1', 'response garbled': '1 0' },
    'record missing': '1 1',
  });
  expect(mock.coverage({ organization: 'org_other' }).some(({ met }) => met > 0)).toBe(false);
});

test('a quota that was met is handled unless the same call is repeated', async () => {
  const { client, met } = start({ quota: 0 });
  await client.content.generate({ prompt: 'one' }, { maxRetries: 0 }).safe();
  expect(met()).toEqual({ 'quota exceeded': '1 1' });
  await client.content.generate({ prompt: 'one' }, { maxRetries: 0 }).safe();
  expect(met()).toEqual({ 'quota exceeded': '2 1' });
});

test('deliveries: forged ones must be rejected, the others taken in the end', async () => {
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
    'generation failed': '1 1',
    'generation canceled': '1 1',
    'delivery lost': '1 1',
    'acknowledgement lost': '1 1',
    'delivery repeated': '1 1',
    'delivery late': '1 1',
    'signature forged': '1 1',
    'timestamp stale': '1 1',
    'secret rotated': '1 1',
  });
});

test('a receiver that takes forgeries did not handle them', async () => {
  const { mock, client, met } = start();
  mock.receivers.set(url, () => new Response());
  mock.faults.add({ delivery: '*', times: 1, effect: { badSignature: true } });
  await client.content.start({ prompt: 'one', webhookUrl: url });
  await mock.settle();
  expect(met()).toEqual({ 'signature forged': '1 0' });
});

test('a receiver that fails at the copy of a delivery did not handle it', async () => {
  const { mock, client, met } = start();
  const statuses = [204, 500];
  mock.receivers.set(url, () => new Response(null, { status: statuses.shift() ?? 204 }));
  mock.faults.add({ delivery: '*', times: 1, effect: { duplicate: 1 } });
  await client.content.start({ prompt: 'one', webhookUrl: url });
  await mock.settle();
  expect(mock.deliveries()[0]?.attempts).toMatchObject([
    { status: 204, copies: [{ status: 500 }] },
  ]);
  expect(met()).toEqual({ 'delivery repeated': '1 0' });
});

test('the command counts for a running server', async () => {
  const { mock, url } = await served();
  await mock.fetch(`${mock.baseUrl}/api/usage`);
  expect(await invoke(['coverage', '--url', url, '--min', '1'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^credentials rejected +met 1, handled 0\nNever met: response lost, /,
    ),
  });
  expect((await invoke(['coverage', '--url', url, '--min', '2'])).code).toBe(1);
});
