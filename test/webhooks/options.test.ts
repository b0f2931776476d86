import { auditReceiver, createTestRequest, deliver, sampleEvent } from 'contentgen/testing';
import {
  createWebhookHandler,
  createWebhookProcessor,
  latestOnly,
  memoryDedupe,
  plainHmac,
  reconcile,
  signWebhook,
  verifyWebhook,
} from 'contentgen/webhooks';
import { bullmqProcessor, bullmqQueue } from 'contentgen/webhooks/bullmq';
import { graphileQueue, graphileTask, graphileUnlock } from 'contentgen/webhooks/graphile-worker';
import { pgBossQueue, pgBossWorker } from 'contentgen/webhooks/pg-boss';
import { postgresDedupe, postgresPurge, postgresResults } from 'contentgen/webhooks/postgres';
import { redisDedupe, redisResults } from 'contentgen/webhooks/redis';
import { expect, test } from 'vitest';

const secret = `whsec_${btoa('k'.repeat(32))}`;
const dedupe = memoryDedupe();
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

test.each(calls)('%s rejects an unknown option', async (_name, known, call) => {
  const misspelled = `${known}x`;
  const attempt = async () => call({ [misspelled]: undefined });
  await expect(attempt()).rejects.toThrow(`unknown option ${misspelled}. Did you mean '${known}'?`);
  await expect(attempt()).rejects.toMatchObject({ code: 'webhook_configuration' });
});

test.each(calls)(
  '%s names an unknown option that looks like a built-in member',
  async (_name, _known, call) => {
    for (const name of ['constructor', 'toString', '__proto__x'])
      await expect((async () => call({ [name]: 1 }))()).rejects.toThrow(`unknown option ${name}`);
  },
);

const processor = createWebhookProcessor({ dedupe: memoryDedupe() });
const message = JSON.stringify({ version: 1, id: 'm', type: 'data_updated', key: 'm', body: '{}' });
const wrongSignal = { aborted: false } as never;
const addJob = async () => {};
const [boss, bull] = [{ send() {} } as never, { add() {} } as never];
const client = { webhooks: { listCallbackDeliveries() {} } } as never;
const since = '1 day';

/** Values that would otherwise fail later, on every delivery, or never; with part of the message. */
const wrong: [message: string, call: () => unknown][] = [
  [
    'attempts must be an integer of 1 or more; received 1.5.',
    () => bullmqQueue(bull, { attempts: 1.5 }),
  ],
  [
    'maxAttempts must be an integer from 1 to 32767; received 40000.',
    () => graphileQueue(addJob, { task: 't', maxAttempts: 40_000 }),
  ],
  [
    'retryLimit must be an integer of 0 or more; received -1.',
    () => pgBossQueue(boss, { queue: 'q', retryLimit: -1 }),
  ],
  [
    'retryDelay must be an integer of 0 or more; received a string.',
    () => pgBossQueue(boss, { queue: 'q', retryDelay: '5' as never }),
  ],
  [
    'retryDelayMax must be an integer of 0 or more; received NaN.',
    () => pgBossQueue(boss, { queue: 'q', retryDelayMax: Number.NaN }),
  ],
  [
    'retryBackoff must be true or false; received a string.',
    () => pgBossQueue(boss, { queue: 'q', retryBackoff: 'no' as never }),
  ],
  ['graphileTask got undefined without process()', () => graphileTask(undefined as never)],
  ['pgBossWorker got a function without process()', () => pgBossWorker((() => {}) as never)],
  ['bullmqProcessor got an object without process()', () => bullmqProcessor({} as never)],
  ['graphileUnlock got an object without forceUnlockWorkers', () => graphileUnlock({} as never)],
  [
    'signal must be an AbortSignal; received an object.',
    () => reconcile({ client, since, signal: wrongSignal }),
  ],
  [
    'signal must be an AbortSignal; received an object.',
    () => postgresPurge(query, { signal: wrongSignal }),
  ],
  [
    'batchSize must be an integer of 1 or more; received 0.5.',
    () => postgresPurge(query, { batchSize: 0.5 }),
  ],
  ['signal must be an AbortSignal', () => processor.process(message, { signal: wrongSignal })],
  [
    'query must be a function; received a string.',
    () => processor.process(message, { query: 'SELECT 1' as never }),
  ],
  [
    'commit must be a function; received an object.',
    () => processor.process(message, { commit: {} as never }),
  ],
  ...['now', 'onProgress', 'dedupeKey'].map((name): [string, () => unknown] => [
    `${name} must be a function; received 5.`,
    () => reconcile({ client, since, [name]: 5 }),
  ]),
  ...[0, 1.5, 101, Number.NaN].map((concurrency): [string, () => unknown] => [
    `concurrency must be an integer from 1 to 100; received ${concurrency}.`,
    () => reconcile({ client, since, concurrency }),
  ]),
];

test.each(wrong)('%s', async (problem, call) => {
  const attempt = expect((async () => call())()).rejects;
  await attempt.toMatchObject({
    code: 'webhook_configuration',
    message: expect.stringContaining(problem),
  });
});

test('every client that is handed over gets one listener to its errors, or a lost connection would end the process', () => {
  const calls: string[] = [];
  const handedOver = (name: string) => ({
    ...redis,
    on: (event: string) => calls.push(`${name} ${event}`),
    subscribe() {},
    query,
    connect() {},
    send() {},
    add() {},
  });
  const [client, subscriber, pool, pgBoss, queue] = [
    'client',
    'subscriber',
    'pool',
    'boss',
    'queue',
  ].map(handedOver) as never[];
  for (let twice = 0; twice < 2; twice++) {
    redisDedupe(client as never);
    redisResults(client as never, subscriber as never);
    postgresResults(pool as never);
    pgBossQueue(pgBoss as never, { queue: 'q' });
    bullmqQueue(queue as never);
  }
  const heard = ['client', 'subscriber', 'pool', 'boss', 'queue'].map((name) => `${name} error`);
  expect(calls.sort()).toEqual([...heard, 'pool connect'].sort());
});

test('an option that is undefined has its default', async () => {
  const sent: unknown[] = [];
  const send = async (...job: unknown[]) => sent.push(job[2]);
  const unset = { expireInSeconds: undefined, retryLimit: undefined, retryDelay: undefined };
  const raw = JSON.parse(message);
  for (const options of [{}, unset])
    await pgBossQueue({ send, getQueue: async () => null } as never, {
      queue: 'q',
      ...(options as object),
    })({} as never, raw);
  expect(sent[1]).toEqual(sent[0]);
  expect(sent[1]).toMatchObject({ expireInSeconds: 300, retryLimit: 25, retryDelay: 5 });
});

test.each([
  ['createWebhookHandler', createWebhookHandler({ secret })],
  ['redisResults', redisResults(redis as never, { subscribe() {}, on() {} } as never)],
])('waitFor rejects an id that is %s, which would never settle', async (_name, { waitFor }) => {
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
  await expect(
    waitFor('gen_1', { signal: AbortSignal.abort(new Error('enough')) }),
  ).rejects.toThrow('enough');
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
