import {
  createWebhookProcessor,
  latestOnly,
  memoryDedupe,
  PermanentError,
  WebhookConfigurationError,
  type WebhookContext,
} from 'contentgen/webhooks';
import { graphileQueue, graphileTask, graphileUnlock } from 'contentgen/webhooks/graphile-worker';
import { postgresDedupe } from 'contentgen/webhooks/postgres';
import {
  Logger,
  makeWorkerUtils,
  runTaskList,
  runTaskListOnce,
  type WorkerUtils,
} from 'graphile-worker';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { type ThrowAwayServer, withPostgres } from '../support/servers.ts';
import { message, receiver, recordingProcessor, until } from './queue-support.ts';
import { recorder } from './support.ts';

const task = 'contentgen';
const logger = new Logger(() => () => {});

describe.runIf(needs('postgres'))('graphile-worker', () => {
  let server: ThrowAwayServer;
  let pgPool: pg.Pool;
  let workerUtils: WorkerUtils;

  beforeAll(async () => {
    server = await withPostgres();
    pgPool = new pg.Pool({ connectionString: server.url, max: 12 });
    pgPool.on('error', () => {});
    workerUtils = await makeWorkerUtils({ pgPool, logger });
    await workerUtils.migrate();
    await pgPool.query('CREATE TABLE effects (id text)');
  });
  beforeEach(async () => {
    await pgPool.query('TRUNCATE effects, graphile_worker._private_jobs');
  });
  afterAll(async () => {
    await workerUtils?.release();
    await pgPool?.end();
    await server?.stop();
  });

  const jobs = async () => (await pgPool.query('SELECT * FROM graphile_worker.jobs')).rows;
  const effects = async () => (await pgPool.query('SELECT id FROM effects ORDER BY id')).rows;
  const query = (text: string, params: (string | number)[]) => pgPool.query(text, params);
  /** Runs every job that is due. */
  const work = async (processor: Parameters<typeof graphileTask>[0]) => {
    const client = await pgPool.connect();
    try {
      await runTaskListOnce({ logger }, { [task]: graphileTask(processor) }, client);
    } finally {
      client.release();
    }
  };

  test.each([
    ['workerUtils', () => graphileQueue(workerUtils, { task })],
    ['addJob', () => graphileQueue(workerUtils.addJob, { task })],
  ])('keeps one job per delivery, through %s', async (_name, makeQueue) => {
    const { deliver } = receiver(makeQueue());
    expect(await deliver('msg_1')).toBe(200);
    expect(await deliver('msg_1')).toBe(200);
    expect(await deliver('msg_2')).toBe(200);
    expect((await jobs()).map(({ key }) => key).sort()).toEqual(['msg_1', 'msg_2']);
    const { seen, processor } = recordingProcessor();
    await work(processor);
    expect(seen.sort()).toEqual(['msg_1', 'msg_2']);
    expect(await jobs()).toEqual([]);
  });

  test('does nothing for a delivery that is sent again after it was done', async () => {
    const { deliver } = receiver(graphileQueue(workerUtils, { task }));
    const { seen, processor } = recordingProcessor();
    for (let round = 0; round < 2; round++) {
      await deliver('msg_1');
      await work(processor);
    }
    expect(seen).toEqual(['msg_1']);
  });

  test('retries a permanently failed job when its delivery is sent again', async () => {
    const { deliver } = receiver(graphileQueue(workerUtils, { task, maxAttempts: 1 }));
    await deliver('msg_1');
    await work(
      createWebhookProcessor({
        dedupe: memoryDedupe(),
        logger: recorder(),
        on: { usage_threshold: () => Promise.reject(new Error('no')) },
      }),
    );
    expect(await jobs()).toMatchObject([{ attempts: 1, max_attempts: 1, last_error: 'no' }]);
    const { seen, processor } = recordingProcessor();
    await work(processor);
    expect(seen).toEqual([]);
    await deliver('msg_1');
    await work(processor);
    expect(seen).toEqual(['msg_1']);
    expect(await jobs()).toEqual([]);
  });

  test.each(['query', 'commitWith'])(
    'counts an event as the latest one only if its transaction commits, through %s',
    async (through) => {
      await pgPool.query(
        'CREATE TABLE one_each (id text UNIQUE DEFERRABLE INITIALLY DEFERRED); INSERT INTO one_each VALUES (2)',
      );
      onTestFinished(() => pgPool.query('DROP TABLE one_each').then(() => {}));
      const dedupe = postgresDedupe(query, { table: 'latest_only' });
      const latest = latestOnly(dedupe, { key: () => through });
      const insert = 'INSERT INTO one_each VALUES ($1)';
      const processor = createWebhookProcessor({
        dedupe,
        logger: recorder(),
        on: {
          data_updated: latest(async ({ payload: { records } }, context) => {
            if (through === 'query') return context.query?.(insert, [records]);
            const client = await pgPool.connect();
            try {
              await client.query('BEGIN');
              await client.query(insert, [records]);
              await context.commitWith((text, params) => client.query(text, params));
              await client.query('COMMIT');
            } finally {
              client.release(true);
            }
          }),
        },
      });
      const { deliver } = receiver(graphileQueue(workerUtils, { task, maxAttempts: 1 }));
      const inserted = [];
      for (const records of [2, 1, 3, 0]) {
        const occurredAt = `2026-01-01T00:00:0${records}.000Z`;
        await deliver(`${through}_${records}`, { event: 'data_updated', records, occurredAt });
        await work(processor);
        inserted.push((await pgPool.query('SELECT FROM one_each')).rowCount);
      }
      // The second 2 fails at its COMMIT, so the 1 is not older than anything; the 0 is.
      expect(inserted).toEqual([1, 2, 3, 3]);
    },
  );

  test('responds 503 when the database rejects the job', async () => {
    const { deliver, logger } = receiver(graphileQueue(workerUtils, { task: 'x'.repeat(200) }));
    expect(await deliver('msg_1')).toBe(503);
    expect(logger.lines.join()).toContain('Failed to enqueue webhook usage_threshold msg_1');
  });

  test('runs events of one resource one at a time, and others concurrently', async () => {
    const enqueue = graphileQueue(workerUtils, {
      task,
      serialBy: ({ payload }) => payload.source?.repeat(200),
    });
    const { deliver } = receiver(enqueue);
    const running = new Map<string, number>();
    let most = 0;
    let inAll = 0;
    const processor = createWebhookProcessor({
      dedupe: memoryDedupe(),
      on: {
        data_updated: async ({ payload: { source } }) => {
          const now = (running.get(source) ?? 0) + 1;
          running.set(source, now);
          most = Math.max(most, now);
          inAll = Math.max(
            inAll,
            [...running.values()].reduce((sum, count) => sum + count),
          );
          await until(() => inAll === 2);
          running.set(source, (running.get(source) ?? 0) - 1);
        },
      },
    });
    for (let n = 0; n < 8; n++)
      await deliver(`msg_${n}`, { event: 'data_updated', source: n % 2 ? 'wiki' : 'mail' });
    const pool = runTaskList(
      { concurrency: 6, pollInterval: 50, noHandleSignals: true, logger },
      { [task]: graphileTask(processor) },
      pgPool,
    );
    await until(async () => (await jobs()).length === 0);
    await pool.gracefulShutdown();
    expect({ most, inAll }).toEqual({ most: 1, inAll: 2 });
  });

  test('commits what a callback writes through context.query together with the done mark', async () => {
    const dedupe = postgresDedupe(query);
    const fails = { now: true };
    const insert = async ({ id }: { id: string }, context: WebhookContext) => {
      await context.query?.('INSERT INTO effects VALUES ($1)', [id]);
      if (id === 'msg_2' && fails.now) throw new Error('after the effect');
      if (id === 'msg_3') throw new PermanentError('after the effect');
    };
    const processor = createWebhookProcessor({
      dedupe,
      logger: recorder(),
      on: { usage_threshold: insert },
    });
    const { deliver } = receiver(graphileQueue(workerUtils, { task }));
    for (const id of ['msg_1', 'msg_2', 'msg_3']) await deliver(id);
    await work(processor);
    expect(await effects()).toEqual([{ id: 'msg_1' }]);
    const { rows } = await query('SELECT key FROM contentgen_webhook_deliveries WHERE done', []);
    expect(rows.map(({ key }) => key).sort()).toEqual(['msg_1', 'msg_3']);
    expect((await jobs()).map(({ key }) => key)).toEqual(['msg_2']);
    fails.now = false;
    await deliver('msg_2');
    await pgPool.query('UPDATE graphile_worker._private_jobs SET run_at = now()');
    await work(processor);
    expect(await effects()).toEqual([{ id: 'msg_1' }, { id: 'msg_2' }]);
  });

  test('retries a delivery whose COMMIT PostgreSQL answers with ROLLBACK', async () => {
    const processor = createWebhookProcessor({
      dedupe: memoryDedupe(),
      logger: recorder(),
      on: {
        usage_threshold: async ({ id }, context) => {
          await context.query?.('INSERT INTO effects VALUES ($1)', [id]);
          await context.query?.('SELECT * FROM missing_table', []).catch(() => {});
        },
      },
    });
    await receiver(graphileQueue(workerUtils, { task })).deliver('msg_rolled_back');
    await work(processor);
    expect(await effects()).toEqual([]);
    expect((await jobs()).map(({ key }) => key)).toEqual(['msg_rolled_back']);
  });

  test('rejects a query that comes after its transaction has ended, and leaks no connection', async () => {
    let late: WebhookContext['query'];
    const processor = createWebhookProcessor({
      dedupe: postgresDedupe(query),
      on: {
        usage_threshold: async ({ id }, context) => {
          await context.query?.('INSERT INTO effects VALUES ($1)', [id]);
          late = context.query;
        },
      },
    });
    await receiver(graphileQueue(workerUtils, { task })).deliver('msg_late');
    await work(processor);
    const held = pgPool.totalCount - pgPool.idleCount;
    await expect(late?.('INSERT INTO effects VALUES ($1)', ['late'])).rejects.toThrow(
      'the transaction has ended',
    );
    expect(pgPool.totalCount - pgPool.idleCount).toBe(held);
    expect(await effects()).toEqual([{ id: 'msg_late' }]);
  });

  test('holds no connection while a callback makes no query', async () => {
    const before = pgPool.totalCount - pgPool.idleCount;
    let during = 0;
    const processor = createWebhookProcessor({
      dedupe: memoryDedupe(),
      on: {
        usage_threshold: () => {
          during = pgPool.totalCount - pgPool.idleCount;
        },
      },
    });
    await receiver(graphileQueue(workerUtils, { task })).deliver('msg_1');
    await work(processor);
    // The worker's own connection.
    expect(during - before).toBe(1);
  });

  test('frees the jobs of workers that were killed, and no others', async () => {
    const { deliver } = receiver(graphileQueue(workerUtils, { task, serialBy: () => 'all' }));
    await deliver('msg_1');
    await pgPool.query(`UPDATE graphile_worker._private_job_queues
      SET locked_by = 'killed', locked_at = now() - interval '20 minutes'`);
    await pgPool.query(`UPDATE graphile_worker._private_jobs
      SET locked_by = 'killed', locked_at = now() - interval '20 minutes'`);
    const { seen, processor } = recordingProcessor();
    await work(processor);
    expect(seen).toEqual([]);
    expect(await graphileUnlock(workerUtils, { lockedForMs: 3_600_000 })).toBe(0);
    expect(await graphileUnlock(workerUtils)).toBe(1);
    await work(processor);
    expect(seen).toEqual(['msg_1']);
    await expect(graphileUnlock(workerUtils, { schema: 'a"; --' })).rejects.toThrow(/schema/);
  });

  test('accepts keys of any length', async () => {
    await graphileQueue(workerUtils, { task })({} as never, message('k'.repeat(600)));
    expect((await jobs())[0]?.key).toMatch(/^sha256-[0-9a-f]{64}$/);
  });
});

test('graphileQueue rejects options that cannot work', async () => {
  const addJob = async () => {};
  for (const [target, options] of [
    [addJob, {}],
    [addJob, { task: '' }],
    [addJob, { task, queueName: 'x' }],
    [addJob, { task, serialBy: 'requestId' }],
    [addJob, { task, maxAttempts: 0 }],
    [{}, { task }],
    [undefined, { task }],
  ])
    expect(() => graphileQueue(target as never, options as never)).toThrow(
      WebhookConfigurationError,
    );
  const enqueue = graphileQueue(addJob, { task, serialBy: () => '' });
  await expect(enqueue({} as never, message('msg_1'))).rejects.toThrow(/serialBy returned/);
});
