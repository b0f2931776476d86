import { Queue, Worker } from 'bullmq';
import {
  type DiskStore,
  simulatedBullmq,
  simulatedGraphileWorker,
  simulatedPgBoss,
} from 'contentgen/simulate';
import type { Enqueue, WebhookProcessor } from 'contentgen/webhooks';
import { bullmqProcessor, bullmqQueue, bullmqWorkerOptions } from 'contentgen/webhooks/bullmq';
import { graphileQueue, graphileTask, graphileUnlock } from 'contentgen/webhooks/graphile-worker';
import { pgBossQueue, pgBossWork } from 'contentgen/webhooks/pg-boss';
import { Logger, makeWorkerUtils, runTaskListOnce } from 'graphile-worker';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { createClient } from 'redis';
import { afterAll, describe, expect, test } from 'vitest';
import type { QueueContext } from '../../mock-server/simulate/queue-jobs.ts';
import { createRandom } from '../../mock-server/simulate/random.ts';
import { needs } from '../support/needs.ts';
import { withPostgres, withRedis } from '../support/servers.ts';
import { message } from '../webhooks/queue-support.ts';
import { openDisk } from './open-disk.ts';

const name = 'contentgen';
const retries = 7;
const attempts = retries + 1;

/** How an attempt ends. `dies`: its worker is killed. */
type End = 'fails' | 'succeeds' | 'dies';

interface Trial {
  readonly enqueue: Enqueue;
  /** Seconds until the next attempt, which then ends as told; undefined if none comes. */
  attempt(end: End): Promise<number | undefined>;
}

/** What happens to the one job of a trial. */
const life = `
  delivery fails fails delivery fails dies fails dies
  fails fails fails fails fails fails
  delivery fails delivery fails
  delivery succeeds succeeds delivery succeeds`
  .trim()
  .split(/\s+/) as ('delivery' | End)[];

/** What happened, and for each attempt how long it was waited for. */
async function live({ enqueue, attempt }: Trial) {
  const steps: string[] = [];
  const waits: number[] = [];
  for (const step of life) {
    const previous = steps.at(-1);
    if (step === 'delivery') {
      await enqueue({} as never, message('msg_1'));
      steps.push(step);
      continue;
    }
    const wait = await attempt(step);
    steps.push(wait === undefined ? `nothing that ${step}` : step);
    // Each queue looks for the jobs of dead workers in its own time.
    waits.push(previous === 'dies' ? 0 : (wait ?? 0));
  }
  return { steps, waits };
}

/** Processes a message in the way that it is told beforehand. */
function toldProcessor() {
  let told: End | undefined;
  const process = async () => {
    const end = told;
    told = undefined;
    if (end === 'fails') throw new Error('as told');
    if (end === 'dies') await new Promise(() => {});
    return { outcome: 'processed' as const };
  };
  return {
    processor: { process } satisfies WebhookProcessor,
    tell: (end: End) => {
      told = end;
    },
    isDone: () => told === undefined,
  };
}

type Start = (
  store: DiskStore,
  context: QueueContext,
  processor: WebhookProcessor,
) => Enqueue | Promise<Enqueue>;

/** A stand-in, on a clock that the trial moves. */
async function standIn(start: Start): Promise<Trial> {
  const store = openDisk();
  const { processor, tell, isDone } = toldProcessor();
  let time = Date.parse('2026-01-01');
  let timers: { at: number; readonly ms: number; run(): void }[] = [];
  const clock = {
    now: () => time,
    every(ms: number, run: () => void) {
      timers.push({ at: time + ms, ms, run });
    },
  };
  const context = { clock, mock: { clock }, random: createRandom(1, 2) };
  const begin = async () => start(store, context as unknown as QueueContext, processor);
  return {
    enqueue: await begin(),
    async attempt(end) {
      const from = time;
      tell(end);
      for (; !isDone(); time += 500) {
        if (time - from > 4 * 3_600_000) return undefined;
        for (const timer of timers.filter(({ at }) => at <= time)) {
          timer.at = time + timer.ms;
          timer.run();
        }
        await new Promise(setImmediate);
      }
      if (end === 'dies') {
        timers = [];
        await begin();
      }
      return (time - from) / 1000;
    },
  };
}

const stops: (() => unknown)[] = [];
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

async function bullmq(): Promise<Trial> {
  const server = await withRedis();
  const connection = { host: '127.0.0.1', port: server.port };
  const redis = await createClient({ socket: connection }).connect();
  const queue = new Queue(name, { connection });
  const worker = new Worker(name, null as never, { connection, ...bullmqWorkerOptions });
  stops.push(
    server.stop,
    () => redis.close(),
    () => queue.close(),
    () => worker.close(true),
  );
  return {
    enqueue: bullmqQueue(queue, { attempts }),
    async attempt(end) {
      const kept = await queue.getJob('msg_1');
      const wait = kept?.delay ?? 0;
      if (await kept?.isDelayed()) await kept?.promote();
      const job = await worker.getNextJob('token', { block: false });
      if (!job) return undefined;
      if (end === 'fails') await job.moveToFailed(new Error('as told'), 'token');
      if (end === 'succeeds') await job.moveToCompleted('done', 'token', false);
      if (end === 'dies') {
        await redis.del(queue.toKey('msg_1:lock'));
        const options = { connection, ...bullmqWorkerOptions, stalledInterval: 20 };
        const other = new Worker(name, null as never, options);
        await other.startStalledCheckTimer();
        await expect.poll(() => job.isWaiting()).toBe(true);
        await other.close(true);
      }
      return wait / 1000;
    },
  };
}

async function pgBoss(): Promise<Trial> {
  const server = await withPostgres();
  const boss = new PgBoss({
    connectionString: server.url,
    supervise: false,
    schedule: false,
    monitorIntervalSeconds: 1,
  });
  await boss.start();
  await boss.createQueue(name);
  stops.push(server.stop, () => boss.stop({ graceful: false }));
  const sql = async (text: string) => (await boss.getDb().executeSql(text)).rows;
  return {
    enqueue: pgBossQueue(boss, { queue: name, retryLimit: retries }),
    async attempt(end) {
      const [row] = await sql(
        'SELECT extract(epoch FROM start_after - now()) AS wait FROM pgboss.job',
      );
      await sql('UPDATE pgboss.job SET start_after = now()');
      const [job] = await boss.fetch(name);
      if (!job) return undefined;
      if (end === 'fails') await boss.fail(name, job.id, new Error('as told'));
      if (end === 'succeeds') await boss.complete(name, job.id);
      if (end === 'dies') {
        await sql("UPDATE pgboss.job SET started_on = now() - interval '1 hour'");
        // It looks at most once a second.
        await expect
          .poll(async () => {
            await boss.supervise(name);
            return (await boss.getJobById(name, job.id))?.state;
          })
          .toBe('retry');
      }
      return Math.max(0, Number(row?.wait));
    },
  };
}

async function graphile(): Promise<Trial> {
  const server = await withPostgres();
  const pgPool = new pg.Pool({ connectionString: server.url });
  pgPool.on('error', () => {});
  pgPool.on('connect', (client) => client.on('error', () => {}));
  const logger = new Logger(() => () => {});
  const workerUtils = await makeWorkerUtils({ pgPool, logger });
  await workerUtils.migrate();
  stops.push(
    server.stop,
    () => pgPool.end(),
    () => workerUtils.release(),
  );
  const { processor, tell, isDone } = toldProcessor();
  const sql = async (text: string) => (await pgPool.query(text)).rows;
  const jobs = 'graphile_worker._private_jobs';
  return {
    enqueue: graphileQueue(workerUtils, { task: name, maxAttempts: attempts }),
    async attempt(end) {
      const [row] = await sql(`SELECT extract(epoch FROM run_at - now()) AS wait FROM ${jobs}`);
      await sql(`UPDATE ${jobs} SET run_at = now()`);
      tell(end);
      const client = await pgPool.connect();
      const run = runTaskListOnce({ logger }, { [name]: graphileTask(processor) }, client);
      if (end === 'dies') await expect.poll(isDone).toBe(true);
      else await run;
      client.release(end === 'dies');
      if (!isDone()) return undefined;
      if (end === 'dies') {
        await sql(`UPDATE ${jobs} SET locked_at = now() - interval '1 hour'`);
        await graphileUnlock(workerUtils);
      }
      return Math.max(0, Number(row?.wait));
    },
  };
}

const queues: [string, 'redis' | 'postgres', () => Promise<Trial>, Start][] = [
  [
    'BullMQ',
    'redis',
    bullmq,
    (store, context, processor) => {
      const queue = simulatedBullmq(store, context);
      queue.work(bullmqProcessor(processor), bullmqWorkerOptions);
      return bullmqQueue(queue, { attempts });
    },
  ],
  [
    'pg-boss',
    'postgres',
    pgBoss,
    async (store, context, processor) => {
      const boss = simulatedPgBoss(store, context);
      await boss.createQueue(name);
      await pgBossWork(boss, { queue: name, processor });
      return pgBossQueue(boss, { queue: name, retryLimit: retries });
    },
  ],
  [
    'graphile-worker',
    'postgres',
    graphile,
    (store, context, processor) => {
      const worker = simulatedGraphileWorker(store, context);
      worker.run({ taskList: { [name]: graphileTask(processor) } });
      context.clock.every(60_000, () => void graphileUnlock(worker));
      return graphileQueue(worker, { task: name, maxAttempts: attempts });
    },
  ],
];

describe.each(queues)('the stand-in for %s', (_, need, real, start) => {
  test.runIf(needs(need))(
    'gives a job the attempts that the queue gives it, as late as the queue does',
    async () => {
      const [expected, simulated] = [await live(await real()), await live(await standIn(start))];
      expect(simulated.steps).toEqual(expected.steps);
      // Half of a wait of pg-boss is random; the stand-ins look for jobs every two seconds at most.
      const isAsLate = (wait: number, index: number) => {
        const known = expected.waits[index] as number;
        return wait > known / 2 - 1 && wait <= known * 2 + 5;
      };
      const pairs = simulated.waits.map((wait, index) => [wait, expected.waits[index]]);
      expect(pairs.filter(([wait = 0], index) => !isAsLate(wait, index))).toEqual([]);
    },
  );
});
