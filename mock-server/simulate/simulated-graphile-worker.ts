import type { DiskOperations } from './disk.ts';
import {
  type GraphileHelpers,
  type GraphileUnlocker,
  type GraphileUtils,
  type Job,
  openJobs,
  type QueueContext,
  retried,
  startWorker,
  type WithPgClient,
} from './queue-jobs.ts';

/** A stand-in for graphile-worker: `makeWorkerUtils` and `run` in one. */
export interface SimulatedGraphileWorker extends Required<GraphileUtils>, GraphileUnlocker {
  /** Starts a worker in this instance. */
  run(options: {
    /** What runs each task, such as `graphileTask(processor)`. */
    readonly taskList: Readonly<
      Record<string, (payload: unknown, helpers: GraphileHelpers) => Promise<void>>
    >;
    /** How many jobs run at once. @default 1 */
    readonly concurrency?: number;
    /** How often it looks for jobs, ms. @default 2_000 */
    readonly pollInterval?: number;
  }): void;
}

/** How long graphile-worker leaves a job with a worker that was killed. */
const LOCKED_MS = 4 * 3_600_000;

/**
 * A graphile-worker for `graphileQueue`, `graphileTask` and `graphileUnlock` over a store of the simulation's disk. It
 * does what graphile-worker does with `maxAttempts`, `jobKey` and `queueName`, and leaves the jobs of a crashed worker
 * locked for 4 hours, unless `graphileUnlock` frees them.
 *
 * @param given - `withPgClient`: lends a client for `context.query` of the callbacks, such as one of `sqlDisk`.
 * @example
 * const worker = simulatedGraphileWorker(disk.open('graphile'), context);
 * const handler = createWebhookHandler({ secret, enqueue: graphileQueue(worker, { task: 'contentgen' }) });
 * worker.run({ taskList: { contentgen: graphileTask(processor) } });
 * clock.every(60_000, () => void graphileUnlock(worker));
 */
export function simulatedGraphileWorker(
  store: DiskOperations,
  context: QueueContext,
  given: {
    /** Lends a client to a task. */
    readonly withPgClient?: WithPgClient;
  } = {},
): SimulatedGraphileWorker {
  const atomic = openJobs(store, context);
  const isDone = (job: Job) => job.attempts >= job.maxAttempts;
  const started = (job: Job) => `${job.number}:${job.taken}`;
  const free = (job: Job): Job => ({ ...job, state: isDone(job) ? 'failed' : 'waiting' });

  /** The statements that the adapters send themselves. */
  async function query(text: string, params: readonly (string | number)[] = []) {
    const [value] = params;
    if (text.includes('reschedule_jobs('))
      return atomic(`reschedule ${value}`, (jobs) => {
        const failed = jobs.all().filter((job) => job.key === value && job.state === 'failed');
        for (const job of failed)
          jobs.put({ ...job, state: 'waiting', attempts: 0, runAt: jobs.now() });
        return { rows: failed };
      });
    if (text.startsWith('SELECT DISTINCT locked_by'))
      return atomic('look for locks', (jobs) => ({
        rows: jobs
          .all()
          .filter((job) => job.state === 'active')
          .filter((job) => job.lockedUntil - LOCKED_MS < jobs.now() - Number(value))
          .map((job) => ({ locked_by: started(job) })),
      }));
    throw new Error(
      'The stand-in for graphile-worker runs no SQL of callbacks. Pass it withPgClient.',
    );
  }
  const withPgClient: WithPgClient = (use) =>
    use({ query: async (text, params) => ({ rows: (await query(text, params)).rows }) });
  return {
    withPgClient,
    addJob: (queue, data, { jobKey: key, queueName, maxAttempts = 25 }) =>
      atomic(`add ${key}`, (jobs) => {
        const kept = jobs.find(queue, key);
        if (kept?.state === 'waiting') {
          const runAt = kept.attempts === 0 ? kept.runAt : jobs.now();
          jobs.put({ ...kept, data, maxAttempts, attempts: 0, runAt });
          return;
        }
        // A job that runs or has failed is not retried any more.
        if (kept) jobs.put({ ...kept, key: undefined, attempts: kept.maxAttempts });
        jobs.add({ key, queue, data, maxAttempts, options: { queueName } });
      }),
    forceUnlockWorkers: (workers) =>
      atomic('unlock workers', (jobs) => {
        for (const job of jobs.all())
          if (job.state === 'active' && workers.includes(started(job))) jobs.put(free(job));
      }),
    run({ taskList, concurrency = 1, pollInterval = 2000 }) {
      for (const [queue, task] of Object.entries(taskList))
        startWorker(atomic, context, {
          queue,
          concurrency,
          pollMs: pollInterval,
          lockMs: () => LOCKED_MS,
          countsTaken: true,
          lost: free,
          failed: (job, jobs) => retried(job, jobs, Math.exp(Math.min(job.attempts, 10)) * 1000),
          completed: (job, jobs) => jobs.delete(job),
          waits: ({ options: { queueName } }, all) =>
            queueName !== undefined &&
            all.some((job) => job.state === 'active' && job.options['queueName'] === queueName),
          async run({ data }) {
            await task(data, { withPgClient: given.withPgClient ?? withPgClient });
            return undefined;
          },
        });
    },
  };
}
