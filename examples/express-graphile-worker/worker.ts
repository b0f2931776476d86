import { createWebhookProcessor } from 'contentgen/webhooks';
import { graphileTask, graphileUnlock } from 'contentgen/webhooks/graphile-worker';
import { postgresDedupe } from 'contentgen/webhooks/postgres';
import { type Runner, run, type WorkerUtils } from 'graphile-worker';
import type pg from 'pg';

export async function startWorker(pgPool: pg.Pool, workerUtils: WorkerUtils): Promise<Runner> {
  await pgPool.query(
    'CREATE TABLE IF NOT EXISTS stories (request_id text NOT NULL, story text NOT NULL)',
  );
  const processor = createWebhookProcessor({
    dedupe: postgresDedupe((text, params) => pgPool.query(text, params)),
    on: {
      // The row is committed together with the mark that the delivery is done.
      generation_completed: async ({ id, payload }, { query }) =>
        query?.('INSERT INTO stories VALUES ($1, $2)', [payload.requestId ?? id, payload.result]),
    },
  });

  // Otherwise, the jobs of a killed worker stay locked for 4 hours.
  const unlocking = setInterval(() => graphileUnlock(workerUtils).catch(console.error), 60_000);
  unlocking.unref();
  const runner = await run({
    pgPool,
    concurrency: 10,
    noHandleSignals: true,
    taskList: { contentgen: graphileTask(processor) },
  });
  // graphile-worker does not replace a worker that could not release its job while the database was down. So exit, and
  // let a supervisor restart the process.
  runner.events.on('worker:fatalError', () => process.exit(1));
  return runner;
}
