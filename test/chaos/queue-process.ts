import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { createClient } from 'redis';
import {
  createWebhookHandler,
  createWebhookProcessor,
  type Dedupe,
  type Enqueue,
  type WebhookContext,
  type WebhookProcessor,
} from '../../src/webhooks/index.ts';
import { toNodeHandler } from '../../src/webhooks/node/index.ts';
import { postgresDedupe } from '../../src/webhooks/postgres.ts';
import {
  bullmqProcessor,
  bullmqQueue,
  bullmqWorkerOptions,
} from '../../src/webhooks/queue/bullmq.ts';
import {
  graphileQueue,
  graphileTask,
  graphileUnlock,
} from '../../src/webhooks/queue/graphile-worker.ts';
import { pgBossQueue, pgBossWork } from '../../src/webhooks/queue/pg-boss.ts';
import { redisDedupe } from '../../src/webhooks/redis.ts';
import type { QueueProcessOptions } from './queue-fleet.ts';

// A receiver or a worker that can be killed at any time: node queue-process.ts <options as JSON>.
const { engine, role, url, secret, callbackMs } = JSON.parse(
  process.argv[2] ?? '',
) as QueueProcessOptions;
const leaseMs = callbackMs ? 60_000 : 1000;
const queue = 'contentgen';
const quiet = { warn: () => {}, error: () => {} };

process.on('disconnect', () => process.exit());

if (role === 'receiver') await receive(await enqueueOf());
else await work();
process.send?.({ ready: true });

async function receive(enqueue: Enqueue): Promise<void> {
  const handler = createWebhookHandler({ secret, enqueue, logger: quiet, storeTimeoutMs: 2000 });
  const server = createServer(toNodeHandler(handler)).listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
  });
}

async function enqueueOf(): Promise<Enqueue> {
  if (engine === 'graphile-worker') {
    const workerUtils = await makeWorkerUtils({
      pgPool: pool(),
      logger: new Logger(() => () => {}),
    });
    return graphileQueue(workerUtils, {
      task: queue,
      serialBy: ({ id }) => (callbackMs ? undefined : `resource_${Number(id.slice(4)) % 50}`),
    });
  }
  if (engine === 'pg-boss') {
    const retries = callbackMs ? {} : { expireInSeconds: 2, retryDelay: 1, retryBackoff: false };
    return pgBossQueue(await boss(), { queue, ...retries });
  }
  const bull = new Queue(queue, { connection: redisOptions() });
  bull.on('error', () => {});
  return bullmqQueue(bull, { backoffMs: 500 });
}

async function work(): Promise<void> {
  if (engine === 'graphile-worker') {
    const pgPool = pool();
    const processor = processorOver(postgresDedupe(queryOf(pgPool), { leaseMs }), (id, { query }) =>
      query?.('INSERT INTO effects (id) VALUES ($1)', [id]),
    );
    const logger = new Logger(() => () => {});
    const workerUtils = await makeWorkerUtils({ pgPool, logger });
    const lockedForMs = callbackMs ? callbackMs * 10 : 2000;
    setInterval(() => graphileUnlock(workerUtils, { lockedForMs }).catch(() => {}), 500);
    const taskList = { [queue]: graphileTask(processor) };
    const options = { concurrency: 8, pollInterval: 200, noHandleSignals: true, logger };
    const runner = await run({ pgPool, taskList, ...options });
    // Like any supervisor, the test starts another.
    runner.events.on('worker:fatalError', () => process.exit(1));
    runner.promise.finally(() => process.exit(1)).catch(() => {});
  } else if (engine === 'pg-boss') {
    const pgPool = pool();
    const processor = processorOver(postgresDedupe(queryOf(pgPool), { leaseMs }), (id, context) =>
      commit(pgPool, id, context),
    );
    const options = { queue, processor, batchSize: 20, pollingIntervalSeconds: 0.5 };
    await pgBossWork(await boss(), options);
  } else {
    const client = createClient({ url });
    client.on('error', () => {});
    await client.connect();
    const processor = processorOver(redisDedupe(client, { leaseMs }), (id) =>
      client.incr(`effect:${id}`),
    );
    const short = { lockDuration: 2000, stalledInterval: 500 };
    const worker = new Worker(queue, bullmqProcessor(processor), {
      connection: { ...redisOptions(), maxRetriesPerRequest: null },
      concurrency: 8,
      ...bullmqWorkerOptions,
      ...short,
    });
    worker.on('error', () => {});
  }
}

function processorOver(
  dedupe: Dedupe,
  effect: (id: string, context: WebhookContext) => unknown,
): WebhookProcessor {
  return createWebhookProcessor({
    dedupe,
    logger: quiet,
    onOther: async ({ id }, context) => {
      // Long enough for kills to strike here too.
      await delay(callbackMs ?? Math.random() * 20);
      await effect(id, context);
      await delay(Math.random() * 10);
    },
  });
}

async function commit(pgPool: pg.Pool, id: string, { commitWith }: WebhookContext) {
  const client = await pgPool.connect();
  try {
    await client.query('BEGIN');
    await client.query('INSERT INTO effects (id) VALUES ($1)', [id]);
    await commitWith((text, params) => client.query(text, params));
    await client.query('COMMIT');
  } catch (error) {
    client.release(true);
    throw error;
  }
  client.release();
}

function pool(): pg.Pool {
  const made = new pg.Pool({ connectionString: url, max: 12, connectionTimeoutMillis: 2000 });
  made.on('error', () => {});
  made.on('connect', (client) => client.on('error', () => {}));
  return made;
}

function queryOf(pgPool: pg.Pool) {
  return (text: string, params: (string | number)[]) => pgPool.query(text, params);
}

async function boss(): Promise<PgBoss> {
  const made = new PgBoss({
    connectionString: url,
    monitorIntervalSeconds: 1,
    superviseIntervalSeconds: 1,
    schedule: false,
  });
  made.on('error', () => {});
  return made.start();
}

function redisOptions() {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}
