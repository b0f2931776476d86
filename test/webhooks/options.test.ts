import { auditReceiver, createTestRequest, deliver, sampleEvent } from 'contentgen/testing';
import {
  createWebhookHandler,
  createWebhookProcessor,
  latestOnly,
  memoryDedupe,
  plainHmac,
  signWebhook,
  verifyWebhook,
} from 'contentgen/webhooks';
import { bullmqQueue } from 'contentgen/webhooks/bullmq';
import { graphileQueue, graphileUnlock } from 'contentgen/webhooks/graphile-worker';
import { pgBossQueue } from 'contentgen/webhooks/pg-boss';
import { postgresDedupe, postgresPurge, postgresResults } from 'contentgen/webhooks/postgres';
import { redisDedupe, redisResults } from 'contentgen/webhooks/redis';
import { expect, test } from 'vitest';

const secret = `whsec_${btoa('k'.repeat(32))}`;
const dedupe = memoryDedupe();
const query = async () => ({ rows: [] });
const redis = { set: async () => 'OK', eval: async () => 0 };
const event = sampleEvent('usage_threshold');
const receiver = async () => new Response();

/** Every function of these entries that takes options, given some as JavaScript can. */
const calls: [name: string, known: string, call: (options: object) => unknown][] = [
  ['createWebhookHandler', 'tolerance', (o) => createWebhookHandler({ secret, ...o })],
  ['createWebhookProcessor', 'middleware', (o) => createWebhookProcessor(o)],
  ['graphileQueue', 'maxAttempts', (o) => graphileQueue(async () => {}, { task: 't', ...o })],
  ['graphileUnlock', 'lockedForMs', (o) => graphileUnlock({} as never, o)],
  ['pgBossQueue', 'retryLimit', (o) => pgBossQueue({} as never, { queue: 'q', ...o })],
  ['bullmqQueue', 'attempts', (o) => bullmqQueue({} as never, o)],
  ['verifyWebhook', 'tolerance', (o) => verifyWebhook({ secret, body: '', headers: {}, ...o })],
  ['signWebhook', 'timestamp', (o) => signWebhook({ secret, body: '', ...o })],
  ['plainHmac', 'encoding', (o) => plainHmac(o)],
  ['memoryDedupe', 'maxEntries', (o) => memoryDedupe(o)],
  ['latestOnly', 'key', (o) => latestOnly(dedupe, { key: () => 'k', ...o })],
  ['redisDedupe', 'prefix', (o) => redisDedupe(redis as never, o)],
  ['postgresDedupe', 'createTable', (o) => postgresDedupe(query, o)],
  ['redisResults', 'prefix', (o) => redisResults(redis as never, {} as never, o)],
  ['postgresResults', 'createTable', (o) => postgresResults({} as never, o)],
  ['postgresPurge', 'batchSize', (o) => postgresPurge(query, o)],
  ['deliver', 'duplicates', (o) => deliver(receiver, event, { secret, ...o })],
  ['auditReceiver', 'timeoutMs', (o) => auditReceiver(receiver, { secret, ...o })],
  ['createTestRequest', 'skewSeconds', (o) => createTestRequest(event, { secret, ...o })],
];

test.each(calls)('%s refuses an option that it does not have', async (_name, known, call) => {
  const misspelled = `${known}x`;
  const attempt = async () => call({ [misspelled]: undefined });
  await expect(attempt()).rejects.toThrow(`unknown option ${misspelled}. Did you mean '${known}'?`);
  await expect(attempt()).rejects.toMatchObject({ code: 'webhook_configuration' });
});

test.each(calls)(
  '%s refuses no options that it needs, and no others',
  async (_name, _known, call) => {
    for (const name of ['constructor', 'toString', '__proto__x'])
      await expect((async () => call({ [name]: 1 }))()).rejects.toThrow(`unknown option ${name}`);
  },
);

test.each(['handlers', 'handler', 'callbacks', 'events'])(
  'callbacks under %s would lose every event, so the handler is not made',
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
  ['a list', [() => {}]],
  ['a function', () => {}],
])('on that is %s would lose every event, so the handler is not made', (name, on) => {
  expect(() => createWebhookHandler({ secret, on: on as never })).toThrow(`on is ${name}.`);
});

test('options that are no object are refused', async () => {
  for (const options of [null, 7, 'x'])
    expect(() => createWebhookHandler(options as never)).toThrow('Pass an object.');
});
