import {
  callback,
  integerFrom,
  matches,
  mustBe,
  type OptionRules,
  text,
} from '../../option-rules.ts';
import { assertOptions, finite, kindOf, misconfigured } from '../../signing/errors.ts';
import type { AnyEvent } from '../latest-only.ts';
import type { WebhookProcessor } from '../processor.ts';
import { lazyTransaction, type PgClient, type WithPgClient } from './lazy-transaction.ts';
import { assertProcessor, type Enqueue, jobId, type WebhookMessage } from './message.ts';

export type { PgClient, WithPgClient };

/** How graphile-worker adds a job. */
export type GraphileAddJob = (
  identifier: string,
  payload: WebhookMessage,
  spec: GraphileJobSpec,
) => PromiseLike<unknown>;

/** The options of a job that {@link graphileQueue} sets. */
export interface GraphileJobSpec {
  /** The `webhook-id`. */
  jobKey: string;
  /** A repeated delivery does not change when a waiting job runs. */
  jobKeyMode: 'preserve_run_at';
  /** What `serialBy` returned. */
  queueName?: string;
  /** The number of attempts. */
  maxAttempts?: number;
}

/** The part of the result of `makeWorkerUtils` that {@link graphileQueue} uses. */
export interface GraphileUtils {
  /** Adds a job. */
  readonly addJob: GraphileAddJob;
  /** Runs a function with a client of the pool. */
  readonly withPgClient?: WithPgClient;
}

/** Options of {@link graphileQueue}. */
export interface GraphileQueueOptions {
  /** The name of the task that {@link graphileTask} implements. */
  readonly task: string;
  /**
   * Events with the same value run one at a time; a failed one is retried after those queued behind it. Return
   * `undefined` for events whose order does not matter. @default no order
   */
  readonly serialBy?: (event: AnyEvent) => string | undefined;
  /** The number of attempts, 1 to 32_767; the waits between them grow to 6 h. @default 25, over three days */
  readonly maxAttempts?: number;
  /** The schema of graphile-worker. @default 'graphile_worker' */
  readonly schema?: string;
}

const schemaRule = mustBe(
  'a name of letters, digits and underscores',
  matches(/^[A-Za-z_]\w{0,62}$/),
);

const rules: OptionRules<GraphileQueueOptions> = {
  task: text,
  serialBy: callback,
  maxAttempts: integerFrom(1, 32_767),
  schema: schemaRule,
};

/** The longest names that graphile-worker accepts. */
const fitsKey = /^.{1,512}$/s;
const fitsQueue = /^.{1,128}$/s;

/**
 * Puts deliveries on a graphile-worker queue: pass it as `enqueue` to a handler. The `webhook-id` is the job key, so a
 * repeated delivery replaces a job that is still waiting, and a job that has failed permanently runs again.
 *
 * @param target - What `makeWorkerUtils` returns; or `addJob`, which leaves the row of a job that had failed in the
 * table, beside the new one.
 * @throws WebhookConfigurationError when an option is unknown or wrong.
 * @example
 * const workerUtils = await makeWorkerUtils({ pgPool });
 * createWebhookHandler({ secret, enqueue: graphileQueue(workerUtils, { task: 'contentgen' }) });
 */
export function graphileQueue(
  target: GraphileAddJob | GraphileUtils,
  options: GraphileQueueOptions,
): Enqueue {
  assertOptions(options, rules);
  const { task, serialBy, maxAttempts, schema = 'graphile_worker' } = options;
  if (task === undefined) misconfigured('task is not given', 'Pass the name of the task.');
  if (typeof target !== 'function' && typeof target?.addJob !== 'function')
    misconfigured(
      `graphileQueue got ${kindOf(target)} without addJob`,
      'Pass addJob, or the result of makeWorkerUtils().',
    );
  const addJob: GraphileAddJob =
    typeof target === 'function' ? target : (...job) => target.addJob(...job);
  const retryFailed = typeof target === 'function' ? undefined : failedJobs(target, schema);
  return async (event, raw) => {
    const jobKey = await jobId(raw.key, fitsKey);
    if (await retryFailed?.(jobKey)) return;
    const queue = serialBy?.(event as AnyEvent);
    if (queue !== undefined && (typeof queue !== 'string' || queue === ''))
      misconfigured(`serialBy returned ${kindOf(queue)}`, 'Return a non-empty string.');
    await addJob(task, raw, {
      jobKey,
      jobKeyMode: 'preserve_run_at',
      ...(queue !== undefined && { queueName: await jobId(queue, fitsQueue) }),
      ...(maxAttempts !== undefined && { maxAttempts }),
    });
  };
}

/**
 * Retries the job with a key if it has failed permanently; otherwise resolves to `false`. `addJob` itself would make
 * a second job and leave the first one failed.
 */
function failedJobs({ withPgClient }: GraphileUtils, schema: string) {
  if (!withPgClient) return undefined;
  const retry = `SELECT FROM "${schema}".reschedule_jobs(
  ARRAY(SELECT id FROM "${schema}".jobs WHERE key = $1 AND attempts >= max_attempts AND locked_at IS NULL),
  run_at := now(), attempts := 0)`;
  return async (jobKey: string) => {
    let isRetried = false;
    await withPgClient(async (client) => {
      isRetried = (await client.query(retry, [jobKey])).rows.length > 0;
    });
    return isRetried;
  };
}

/** What graphile-worker passes to a task. */
export interface GraphileHelpers {
  /** Runs a function with a client of the worker's pool. */
  readonly withPgClient: WithPgClient;
  /** Aborted when the worker shuts down. */
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * Creates the graphile-worker task that runs a processor. Callbacks have `context.query`: their first query begins a
 * transaction, which commits when the callback has ended; with `postgresDedupe` in the same database, the done mark
 * commits with it.
 *
 * @throws WebhookConfigurationError when `processor` is not a processor.
 * @example
 * await run({ pgPool, taskList: { contentgen: graphileTask(processor) } });
 */
export function graphileTask(
  processor: WebhookProcessor,
): (payload: unknown, helpers: GraphileHelpers) => Promise<void> {
  assertProcessor(processor, 'graphileTask');
  return async (payload, { withPgClient, abortSignal }) => {
    const transaction = lazyTransaction(withPgClient);
    await processor.process(payload as WebhookMessage, { ...transaction, signal: abortSignal });
  };
}

/** Options of {@link graphileUnlock}. */
export interface GraphileUnlockOptions {
  /** Must be longer than any callback takes; in ms, at least 1 000. @default 900_000 (15 minutes) */
  readonly lockedForMs?: number;
  /** The schema of graphile-worker. @default 'graphile_worker' */
  readonly schema?: string;
}

const unlockRules: OptionRules<GraphileUnlockOptions> = {
  lockedForMs: finite('milliseconds', 1000),
  schema: schemaRule,
};

/** The part of the result of `makeWorkerUtils` that {@link graphileUnlock} uses. */
export interface GraphileUnlocker {
  /** Runs a function with a client of the pool. */
  readonly withPgClient: WithPgClient;
  /** Frees all jobs and queues that these workers hold. */
  forceUnlockWorkers(workerIds: string[]): Promise<void>;
}

/**
 * Frees the jobs of workers that were killed, which graphile-worker itself keeps locked for 4 hours. Run it every
 * minute. If a worker is in fact alive, its lease in the dedupe store keeps the job from running twice, but nothing
 * keeps two jobs with the same `serialBy` from running at once. Resolves to the number of workers that lost their
 * locks.
 *
 * @throws WebhookConfigurationError when an option is unknown or wrong.
 * @example
 * setInterval(() => graphileUnlock(workerUtils).catch(console.error), 60_000);
 */
export async function graphileUnlock(
  workerUtils: GraphileUnlocker,
  options: GraphileUnlockOptions = {},
): Promise<number> {
  assertOptions(options, unlockRules);
  const { lockedForMs = 900_000, schema = 'graphile_worker' } = options;
  const select = `SELECT DISTINCT locked_by FROM "${schema}".jobs
WHERE locked_at < now() - $1::float8 * interval '1 ms'`;
  if (typeof workerUtils?.forceUnlockWorkers !== 'function')
    misconfigured(
      `graphileUnlock got ${kindOf(workerUtils)} without forceUnlockWorkers`,
      'Pass the result of makeWorkerUtils().',
    );
  let workers: string[] = [];
  await workerUtils.withPgClient(async (client) => {
    const { rows } = await client.query(select, [lockedForMs]);
    workers = (rows as { locked_by: string }[]).map((row) => row.locked_by);
  });
  if (workers.length > 0) await workerUtils.forceUnlockWorkers(workers);
  return workers.length;
}
