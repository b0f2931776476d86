import type { DiskOperations } from './disk.ts';
import {
  type Job,
  openJobs,
  type PgBossClient,
  type PgBossJob,
  type PgBossJobResult,
  type PgBossRetries,
  type QueueContext,
  retried,
  startWorker,
} from './queue-jobs.ts';

/** The options of a queue of pg-boss that the stand-in knows. */
export interface SimulatedQueueOptions extends PgBossRetries {
  /** The queue for jobs that have failed for good. */
  readonly deadLetter?: string;
}

/** A stand-in for pg-boss. */
export interface SimulatedPgBoss extends PgBossClient {
  /** Creates a queue, unless there is one. */
  createQueue(queue: string, options?: SimulatedQueueOptions): Promise<void>;
  /** Starts a worker in this instance, with what `pgBossWorker` returns, or through `pgBossWork`. */
  work(
    queue: string,
    options: {
      /** How many jobs it takes at once; each runs by itself. @default 1 */
      readonly batchSize?: number;
      /** How often it looks for jobs, in seconds. @default 2 */
      readonly pollingIntervalSeconds?: number;
      /** Whether the handler returns what became of each job. */
      readonly perJobResults?: boolean;
    },
    handler: (jobs: PgBossJob[]) => Promise<PgBossJobResult[]> | Promise<void>,
  ): Promise<string>;
}

/** What pg-boss gives a queue that says nothing else. */
const defaults = {
  policy: 'standard',
  expireInSeconds: 900,
  retryLimit: 2,
  retryDelay: 0,
  retryBackoff: false,
};
/** How often pg-boss looks for expired jobs. */
const MONITOR_MS = 60_000;

/**
 * A pg-boss for `pgBossQueue` and `pgBossWork` over a store of the simulation's disk. It does what pg-boss does with
 * the retries of a queue and of a job; queues have the policy `standard`.
 *
 * @example
 * const boss = simulatedPgBoss(disk.open('boss'), context);
 * await boss.createQueue('contentgen', { retryLimit: 10 });
 * const handler = createWebhookHandler({ secret, enqueue: pgBossQueue(boss, { queue: 'contentgen' }) });
 * await pgBossWork(boss, { queue: 'contentgen', processor });
 */
export function simulatedPgBoss(store: DiskOperations, context: QueueContext): SimulatedPgBoss {
  const atomic = openJobs(store, context);
  const readQueue = (queue: string) => store.get<SimulatedQueueOptions>(`queue/${queue}`);

  function backoff({ attempts, options }: Job): number {
    const { retryDelay = 0, retryBackoff, retryDelayMax } = options as PgBossRetries;
    if (!retryBackoff) return retryDelay * 1000;
    const half = 2 ** Math.min(16, attempts) / 2;
    const seconds = Math.max(retryDelay, 1) * (half + half * context.random());
    return Math.min(retryDelayMax ?? Infinity, seconds) * 1000;
  }
  return {
    async createQueue(queue, options = {}) {
      const kept = await readQueue(queue);
      if (!kept) await store.set(`queue/${queue}`, { ...defaults, ...options });
    },
    getQueue: async (queue) => (await readQueue(queue)) ?? null,
    async send(queue, data, { id, ...given }) {
      const info = await readQueue(queue);
      if (!info) throw new Error(`Queue ${queue} does not exist. Create it with createQueue.`);
      return atomic(`send ${id}`, (jobs) => {
        if (jobs.find(queue, id)) return null;
        const options = { ...info, ...given };
        // The first attempt does not count as a retry.
        const maxAttempts = 1 + (options.retryLimit ?? defaults.retryLimit);
        jobs.add({ key: id, queue, data, maxAttempts, options });
        return id;
      });
    },
    getJobById: (queue, id) =>
      atomic(`look at ${id}`, (jobs) => {
        const job = jobs.find(queue, id);
        return job ? { state: job.state } : null;
      }),
    retry: (queue, id) =>
      atomic(`retry ${id}`, (jobs) => {
        const job = jobs.find(queue, id);
        if (job?.state !== 'failed') return;
        jobs.put({ ...job, state: 'waiting', maxAttempts: job.maxAttempts + 1 });
      }),
    async work(queue, { batchSize = 1, pollingIntervalSeconds = 2 }, handler) {
      const fail: Parameters<typeof startWorker>[2]['failed'] = (job, jobs) => {
        const failed = { ...job, attempts: job.attempts + 1 };
        const next = retried(failed, jobs, backoff(failed));
        const { deadLetter } = job.options as SimulatedQueueOptions;
        if (next.state === 'failed' && deadLetter !== undefined)
          jobs.add({ ...job, key: undefined, queue: deadLetter });
        return next;
      };
      startWorker(atomic, context, {
        queue,
        concurrency: batchSize,
        pollMs: pollingIntervalSeconds * 1000,
        lockMs({ options }) {
          const { expireInSeconds = defaults.expireInSeconds } = options as PgBossRetries;
          return Math.ceil((expireInSeconds * 1000) / MONITOR_MS) * MONITOR_MS;
        },
        lost: fail,
        failed: fail,
        async run({ key = '', data, attempts }) {
          const job = { id: key, data, retryCount: attempts };
          const [result] = (await handler([job])) ?? [];
          if (result?.status === 'failed') throw result.output;
          return undefined;
        },
      });
      return `worker of ${queue}`;
    },
  };
}
