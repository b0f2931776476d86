import type { DiskOperations } from './disk.ts';
import {
  type BullmqJob,
  type BullmqJobOptions,
  type BullmqQueue,
  type Job,
  openJobs,
  type QueueContext,
  retried,
  startWorker,
} from './queue-jobs.ts';

/** The options of a worker of BullMQ that the stand-in knows. */
export interface SimulatedWorkerOptions {
  /** How many jobs run at once. @default 1 */
  readonly concurrency?: number;
  /** How long a job stays locked without a renewal, ms. @default 30_000 */
  readonly lockDuration?: number;
  /** How often the worker looks for jobs whose lock has expired, ms. @default 30_000 */
  readonly stalledInterval?: number;
  /** How many times a job can stall before it fails. @default 1 */
  readonly maxStalledCount?: number;
}

/** A stand-in for a queue of BullMQ and its workers. */
export interface SimulatedBullmq extends BullmqQueue {
  /** Starts a worker in this instance, with what `bullmqProcessor` returns and the options of a `Worker`. */
  work(
    processor: (job: BullmqJob, token?: string) => Promise<unknown>,
    options?: SimulatedWorkerOptions,
  ): void;
}

/**
 * A BullMQ queue for `bullmqQueue` over a store of the simulation's disk. It does what BullMQ does with `attempts` and
 * `backoff`: a job without an attempt left stays in the failed set; one whose worker crashed is taken over once its
 * lock has expired.
 *
 * @example
 * const queue = simulatedBullmq(disk.open('redis'), context);
 * const handler = createWebhookHandler({ secret, enqueue: bullmqQueue(queue, { attempts: 5 }) });
 * queue.work(bullmqProcessor(processor), bullmqWorkerOptions);
 */
export function simulatedBullmq(store: DiskOperations, context: QueueContext): SimulatedBullmq {
  const atomic = openJobs(store, context);
  const queue = 'bullmq';
  const find = (id: string) =>
    atomic(`look at ${id}`, (jobs) => jobs.find(queue, id) as Job | undefined);
  return {
    add: (_name, data, { jobId, ...options }) =>
      atomic(`add ${jobId}`, (jobs) => {
        if (jobs.find(queue, jobId)) return;
        const { attempts: maxAttempts } = options;
        jobs.add({ key: jobId, queue, data, maxAttempts, options });
      }),
    getJobState: async (id) => (await find(id))?.state ?? 'unknown',
    async getJob(id) {
      if (!(await find(id))) return undefined;
      return {
        retry: (state, { resetAttemptsMade }) =>
          atomic(`retry ${id}`, (jobs) => {
            const job = jobs.find(queue, id);
            if (job?.state !== state) throw new Error(`Job ${id} is not in the ${state} state.`);
            const attempts = resetAttemptsMade ? 0 : job.attempts;
            jobs.put({ ...job, state: 'waiting', attempts, runAt: jobs.now() });
          }),
      };
    },
    work(processor, options = {}) {
      const { concurrency = 1, lockDuration = 30_000, stalledInterval = 30_000 } = options;
      const { maxStalledCount = 1 } = options;
      startWorker(atomic, context, {
        queue,
        concurrency,
        pollMs: 1000,
        lockMs: () => lockDuration + stalledInterval,
        renewMs: lockDuration / 2,
        lost(job) {
          const stalled = Number(job.options['stalled'] ?? 0) + 1;
          const state = stalled > maxStalledCount ? 'failed' : 'waiting';
          return { ...job, state, options: { ...job.options, stalled } };
        },
        failed(job, jobs) {
          const attempts = job.attempts + 1;
          const { backoff } = job.options as unknown as BullmqJobOptions;
          return retried({ ...job, attempts }, jobs, backoff.delay * 2 ** (attempts - 1));
        },
        async run({ data }) {
          let runAt: number | undefined;
          const moveToDelayed = async (time: number) => {
            runAt = time;
          };
          await processor({ data, moveToDelayed }, 'token').catch((error: unknown) => {
            if (runAt === undefined || Object(error).name !== 'DelayedError') throw error;
          });
          return runAt;
        },
      });
    },
  };
}
