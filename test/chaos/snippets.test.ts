import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { createClient } from 'redis';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { DedupeStore } from '../../src/webhooks/index.ts';
import { redisDedupe } from '../../src/webhooks/redis.ts';
import { needs } from '../support/needs.ts';
import { type ThrowAwayServer, withPostgres, withRedis } from '../support/servers.ts';
import { type SnippetProcess, startSnippet } from './snippet-process.ts';

const clients = 'docs/idempotency.md';
const atScale = 'docs/webhooks-at-scale.md';
/** Nearly the largest result: frameworks reject 100 kB or 1 MB by default. */
const long = 'x'.repeat(900_000);
/** How many deliveries pass through each queue, in two copies each, and how many at once. */
const deliveries = Number(process.env['CONTENTGEN_QUEUE_DELIVERIES'] ?? 60);
const atOnce = 10;

let receiver: SnippetProcess;
afterEach(() => receiver?.kill());

const accepted = async (id: string) =>
  expect.poll(() => receiver.deliver(id), { timeout: 20_000 }).toBe(200);

/** Waits until the callback of the snippet has run this many times. */
const handled = (times: number) =>
  expect.poll(() => receiver.output().match(/^gen_1$/gm)?.length, { timeout: 20_000 }).toBe(times);

/** A recipe whose queue is in Redis, with times of which the tests wait for less: printed there, run here. */
const bullmq = {
  mark: "from 'bullmq'",
  times: [
    ['redisDedupe(client)', 'redisDedupe(client, { leaseMs: 2000 })'],
    ['delay: 5000', 'delay: 500'],
    ['lockDuration: 10_000, stalledInterval: 5000', 'lockDuration: 2000, stalledInterval: 1000'],
  ],
} as const;

/** Kills the server under the snippet. What it does to connections before that is `terminate`. */
async function surviveKill(
  name: string,
  server: ThrowAwayServer,
  { terminate, open }: { terminate?(): Promise<unknown>; open?(): Promise<number> } = {},
) {
  const id = (moment: string) => `msg_${name}_${moment}`.replace('.', '_');
  // A worker that loses its job's connection ends its process on purpose, so each fault waits for the job.
  const isIdle = async () => open && expect.poll(open, { timeout: 60_000 }).toBe(0);
  const before = terminate ? ['before', 'terminated'] : ['before'];
  for (const [index, moment] of before.entries()) {
    await accepted(id(moment));
    await handled(index + 1);
    await isIdle();
    await terminate?.();
  }
  await server.end();
  expect(await receiver.deliver(id('during'))).toBe(503);
  expect(receiver.isAlive()).toBe(true);
  await server.start();
  await accepted(id('during'));
  await accepted(id('before'));
  await handled(before.length + 1);
  expect(await receiver.deliver(id('long'), { result: long })).toBe(200);
  await handled(before.length + 2);
  await isIdle();
}

/** Kills the worker during deliveries in two copies each, and then sends again what its store forgot. */
async function surviveWorkerKill(
  env: Readonly<Record<string, string>>,
  dedupe: DedupeStore,
  open: () => Promise<number>,
) {
  const run = () => startSnippet(atScale, bullmq.mark, env, bullmq.times);
  receiver = await run();
  let output = '';
  const countHandled = (n: number) =>
    [...(output + receiver.output()).matchAll(/^gen_(\d+)$/gm)].filter(([, of]) => of === `${n}`)
      .length;
  let sent = 0;
  const deliverAll = async (numbers: readonly number[]) => {
    const left = [...numbers];
    const work = async () => {
      for (let n = left.pop(); n !== undefined; n = left.pop()) {
        const changes = { requestId: `gen_${n}` };
        while ((await receiver.deliver(`msg_${n}`, changes)) !== 200) await delay(100);
        sent += 1;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  };
  const drained = () =>
    vi.waitUntil(async () => (await open()) === 0, { timeout: 90_000, interval: 200 });

  const numbers = Array.from({ length: deliveries }, (_, n) => n);
  const all = deliverAll([...numbers, ...numbers]);
  while (sent < deliveries) await delay(5);
  await receiver.kill();
  output += receiver.output();
  receiver = await run();
  await all;
  await drained();
  const counts = numbers.map(countHandled);
  expect(Math.min(...counts), 'none is lost').toBe(1);
  // A worker that is killed between effect and mark has written the line, and the next one writes it again.
  expect(counts.filter((count) => count > 1).length).toBeLessThanOrEqual(atOnce);
  expect(Math.max(...counts)).toBeLessThanOrEqual(2);

  for (const n of [0, 1, 2, 3, 4]) expect(await dedupe.forget(`msg_${n}`)).toBe(true);
  await deliverAll(numbers.slice(0, 10));
  await drained();
  const added = numbers.slice(0, 10).map((n) => countHandled(n) - (counts[n] as number));
  expect(added).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 0, 0]);
}

const connect = (url: string) =>
  createClient({ url })
    .on('error', () => {})
    .connect();

test.each([
  ['express', "app.post('/webhooks'"],
  ['fastify', 'fastifyWebhooks'],
  ['koa', 'new Koa()'],
])('the receiver with %s accepts 900 kB', async (_name, mark) => {
  receiver = await startSnippet('docs/receiving-webhooks.md', mark, {});
  expect(await receiver.deliver('msg_long', { result: long })).toBe(200);
});

describe.runIf(needs('redis'))("the guides' snippets over Redis:", () => {
  let server: ThrowAwayServer;
  let client: Awaited<ReturnType<typeof connect>>;
  beforeAll(async () => {
    server = await withRedis(['--appendonly', 'yes', '--appendfsync', 'always']);
    client = await connect(server.url);
  });
  afterEach(() => server.start());
  afterAll(async () => {
    client?.destroy();
    await server?.stop();
  });

  test.each([
    ['node-redis', 'createClient({'],
    ['ioredis', 'new Redis('],
  ])('the one with %s survives a killed server', async (name, mark) => {
    receiver = await startSnippet(clients, mark, { REDIS_URL: server.url });
    await surviveKill(name, server);
  });

  /** A job that is done has left all of these. */
  const lists = ['wait', 'active', 'paused'].map((name) => `bull:contentgen:${name}`);
  const sets = ['delayed', 'prioritized', 'failed'].map((name) => `bull:contentgen:${name}`);
  const open = async () => {
    const counts = [
      ...lists.map((key) => client.lLen(key)),
      ...sets.map((key) => client.zCard(key)),
    ];
    return (await Promise.all(counts)).reduce((sum, count) => sum + count);
  };
  test.runIf(needs('foreign'))('the one with BullMQ survives a killed server', async () => {
    receiver = await startSnippet(atScale, bullmq.mark, { REDIS_URL: server.url }, bullmq.times);
    await surviveKill('BullMQ', server, { open });
  });

  test.runIf(needs('foreign'))(
    'the one with BullMQ handles each delivery once although its process is killed, and again once it is forgotten',
    { timeout: 120_000 + deliveries * 600 },
    () => surviveWorkerKill({ REDIS_URL: server.url }, redisDedupe(client), open),
  );
});

describe.runIf(needs('postgres'))("the guides' snippets over PostgreSQL:", () => {
  let server: ThrowAwayServer;
  let admin: Pool;
  let env: Record<string, string>;

  beforeAll(async () => {
    server = await withPostgres();
    env = {
      PGHOST: '127.0.0.1',
      PGPORT: String(server.port),
      PGUSER: 'postgres',
      PGDATABASE: 'postgres',
      DATABASE_URL: server.url,
    };
    admin = new Pool({ connectionString: server.url });
    admin.on('error', () => {});
    admin.on('connect', (client) => client.on('error', () => {}));
    await admin.query('CREATE TABLE stories (request_id text, text text)');
  });
  afterEach(() => server.start());
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });

  const terminate = (where = 'true') =>
    admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE pid <> pg_backend_pid() AND backend_type = 'client backend' AND ${where}`,
    );

  test.each([
    ['pg', 'keepAlive: true,\n});'],
    ['postgres.js', 'postgres({'],
  ])('the one with %s survives terminated connections and a killed server', async (name, mark) => {
    receiver = await startSnippet(clients, mark, env);
    await surviveKill(name, server, { terminate: () => terminate() });
  });

  test('the one with commitWith survives a backend that is terminated during its transaction, logs why, and has one effect', async () => {
    receiver = await startSnippet(clients, 'inTransaction(async (client)', env);
    expect(await receiver.deliver('msg_first')).toBe(200);
    const lock = await admin.connect();
    await lock.query('BEGIN; LOCK TABLE stories');
    const delivery = receiver.deliver('msg_held');
    const waiting = `query LIKE 'INSERT INTO stories%' AND wait_event_type = 'Lock'`;
    const backend = `SELECT 1 FROM pg_stat_activity WHERE ${waiting}`;
    await expect.poll(async () => (await admin.query(backend)).rowCount).toBe(1);
    await terminate(waiting);
    expect(await delivery).toBe(500);
    await lock.query('COMMIT');
    lock.release();
    expect(receiver.isAlive()).toBe(true);
    expect(receiver.output()).toContain('terminating connection due to administrator command');
    await accepted('msg_held');
    await accepted('msg_held');
    const { rows } = await admin.query('SELECT count(*)::int AS n FROM stories');
    expect(rows).toEqual([{ n: 2 }]);
  });
});
