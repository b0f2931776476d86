import { auditReceiver, createTestRequest, deliver, sampleEvent } from 'contentgen/testing';
import {
  createWebhookHandler,
  createWebhookProcessor,
  memoryDedupe,
  signWebhook,
  verifyWebhook,
} from 'contentgen/webhooks';
import { postgresDedupe, postgresPurge } from 'contentgen/webhooks/postgres';
import { redisDedupe } from 'contentgen/webhooks/redis';
import { expect, test } from 'vitest';

const secret = `whsec_${btoa('k'.repeat(32))}`;
const query = async () => ({ rows: [] });
const redis = { set: async () => 'OK', eval: async () => 0 };
const event = sampleEvent('usage_threshold');
const receiver = async () => new Response();

/** Every function of these entries that takes options, with a call that adds some, as JavaScript can. */
const calls: [name: string, known: string, call: (options: object) => unknown][] = [
  ['createWebhookHandler', 'tolerance', (o) => createWebhookHandler({ secret, ...o })],
  [
    'createWebhookProcessor',
    'middleware',
    (o) => createWebhookProcessor({ dedupe: memoryDedupe(), ...o }),
  ],
  ['verifyWebhook', 'tolerance', (o) => verifyWebhook({ secret, body: '', headers: {}, ...o })],
  ['signWebhook', 'timestamp', (o) => signWebhook({ secret, body: '', ...o })],
  ['memoryDedupe', 'maxEntries', (o) => memoryDedupe(o)],
  ['redisDedupe', 'prefix', (o) => redisDedupe(redis as never, o)],
  ['postgresDedupe', 'createTable', (o) => postgresDedupe(query, o)],
  ['postgresPurge', 'table', (o) => postgresPurge(query, o)],
  ['deliver', 'duplicates', (o) => deliver(receiver, event, { secret, ...o })],
  ['auditReceiver', 'timeoutMs', (o) => auditReceiver(receiver, { secret, ...o })],
  ['createTestRequest', 'skewSeconds', (o) => createTestRequest(event, { secret, ...o })],
];

test.each(calls)(
  '%s names an unknown option, also one of a built-in member',
  async (_name, known, call) => {
    const attempt = async (name: string) => call({ [name]: undefined });
    const misspelled = attempt(`${known}x`);
    await expect(misspelled).rejects.toThrow(`unknown option ${known}x. Did you mean '${known}'?`);
    await expect(misspelled).rejects.toMatchObject({ code: 'webhook_configuration' });
    for (const name of ['constructor', 'toString', '__proto__x'])
      await expect(attempt(name)).rejects.toThrow(`unknown option ${name}`);
  },
);

const processor = createWebhookProcessor({ dedupe: memoryDedupe() });
const message = JSON.stringify({ version: 1, id: 'm', type: 'data_updated', key: 'm', body: '{}' });
const wrongSignal = { aborted: false } as never;

test('a processor rejects a signal that is not an AbortSignal', async () => {
  await expect(processor.process(message, { signal: wrongSignal })).rejects.toMatchObject({
    code: 'webhook_configuration',
    message: expect.stringContaining('signal must be an AbortSignal'),
  });
});

test('a client that is handed over gets one listener to its errors, or a lost connection would end the process', () => {
  const heard: string[] = [];
  const client = { ...redis, on: (event: string) => heard.push(event) };
  redisDedupe(client as never);
  redisDedupe(client as never);
  expect(heard).toEqual(['error']);
});

test('waitFor rejects an id that is none, which would never settle', async () => {
  const { waitFor } = createWebhookHandler({ secret });
  for (const [requestId, kind] of [
    [undefined, 'undefined'],
    ['', 'an empty string'],
    [{ requestId: 'gen_1' }, 'an object'],
  ])
    await expect(waitFor(requestId as never)).rejects.toThrow(
      new TypeError(`waitFor: requestId is ${kind}. Pass the id of a generation.`),
    );
  await expect(waitFor('gen_1', { signal: wrongSignal })).rejects.toThrow(
    'waitFor: signal must be an AbortSignal; received an object.',
  );
});

test.each(['handlers', 'handler', 'callbacks', 'events'])(
  'callbacks under %s would lose every event, so the handler is not created',
  (name) => {
    const make = () => createWebhookHandler({ secret, [name]: { usage_threshold: () => {} } });
    expect(make).toThrow(`unknown option ${name}. Did you mean 'on'?`);
  },
);

test.each([
  ['payload', 'body'],
  ['rawBody', 'body'],
  ['req', 'request'],
])('verifyWebhook asks about %s whether %s was meant', async (name, meant) => {
  await expect(verifyWebhook({ secret, [name]: '' } as never)).rejects.toThrow(
    `Did you mean '${meant}'?`,
  );
});

test.each([
  ['null', null],
  ['an array', [() => {}]],
  ['a function', () => {}],
])('on that is %s would lose every event, so the handler is not created', (name, on) => {
  expect(() => createWebhookHandler({ secret, on: on as never })).toThrow(`received ${name}.`);
});

test('options that are not an object are rejected', async () => {
  for (const options of [null, 7, 'x'])
    expect(() => createWebhookHandler(options as never)).toThrow('options must be an object');
});
