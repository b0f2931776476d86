import { integerFrom, type OptionRules, text } from '../../option-rules.ts';
import { now } from '../../platform/driver.ts';
import { assertOptions, finite, kindOf, misconfigured } from '../../signing/errors.ts';
import { surviveErrors } from '../keep-alive.ts';
import type { WebhookProcessor } from '../processor.ts';
import { assertProcessor, type Enqueue, jobId, type WebhookMessage } from './message.ts';
import type { ProcessResult } from './process-event.ts';

/** The part of BullMQ's `Queue` that {@link bullmqQueue} uses. */
export interface BullmqQueue {
  /** Adds a job, unless there is one with this id. */
  add(name: string, message: WebhookMessage, options: BullmqJobOptions): Promise<unknown>;
  /** The state of a job, `unknown` if it does not exist. */
  getJobState(id: string): Promise<string>;
  /** A job, if there is one. */
  getJob(id: string): Promise<BullmqFailedJob | undefined>;
}

/** The options of a job that {@link bullmqQueue} sets. */
export interface BullmqJobOptions {
  /** The `webhook-id`. */
  jobId: string;
  /** The number of attempts. */
  attempts: number;
  /** The waits between attempts. */
  backoff: {
    /** Each wait is twice as long as the previous one. */
    type: 'exponential';
    /** The first wait, ms. */
    delay: number;
  };
  /** Which jobs are kept once they are done. */
  removeOnComplete: {
    /** How many of the newest. */
    count: number;
  };
  /** Jobs that failed stay in the failed set. */
  removeOnFail: false;
}

/** A job of the failed set. */
export interface BullmqFailedJob {
  /** Puts it back on the queue. */
  retry(
    state: 'failed',
    options: {
      /** Whether its count of attempts starts over. */
      resetAttemptsMade: boolean;
    },
  ): Promise<unknown>;
}

/** Options of {@link bullmqQueue}. */
export interface BullmqQueueOptions {
  /** The name of the jobs. @default 'webhook' */
  readonly name?: string;
  /** Attempts before a job goes to the failed set. @default 16, over two days */
  readonly attempts?: number;
  /** The wait before the second attempt in ms; each further one is twice as long. @default 5_000 */
  readonly backoffMs?: number;
}

const rules: OptionRules<BullmqQueueOptions> = {
  name: text,
  attempts: integerFrom(1),
  backoffMs: finite('milliseconds', 0),
};

/** BullMQ accepts no `:` in an id, and no integers. */
const fitsId = /^(?!\d+$)[\w.-]{1,512}$/;

/** Kept only for inspection; the dedupe store remembers what is done. */
const keptJobs = 1000;

/**
 * Puts deliveries on a BullMQ queue: pass it as `enqueue` to a handler. The job id is the `webhook-id`, so a repeated
 * delivery adds no second job; one in the failed set is retried. Redis must persist what it acknowledges (`appendonly
 * yes`) and must not evict (`maxmemory-policy noeviction`).
 *
 * @throws WebhookConfigurationError when an option is unknown or wrong.
 * @example
 * createWebhookHandler({ secret, enqueue: bullmqQueue(new Queue('contentgen', { connection })) });
 */
export function bullmqQueue(queue: BullmqQueue, options: BullmqQueueOptions = {}): Enqueue {
  assertOptions(options, rules);
  const { name = 'webhook', attempts = 16, backoffMs = 5000 } = options;
  if (typeof queue?.add !== 'function')
    misconfigured(`bullmqQueue got ${kindOf(queue)}, not a Queue`, 'Pass a Queue of bullmq.');
  surviveErrors(queue);
  return async (_event, raw) => {
    const id = await jobId(raw.key, fitsId);
    const [, state] = await Promise.all([
      queue.add(name, raw, {
        jobId: id,
        attempts,
        backoff: { type: 'exponential', delay: backoffMs },
        removeOnComplete: { count: keptJobs },
        removeOnFail: false,
      }),
      queue.getJobState(id),
    ]);
    if (state !== 'failed') return;
    const job = await queue.getJob(id);
    await job?.retry('failed', { resetAttemptsMade: true });
  };
}

/** A job as BullMQ passes it to a worker. */
export interface BullmqJob {
  /** The message. */
  readonly data: unknown;
  /** Delays it until a time. */
  moveToDelayed(timestamp: number, token?: string): Promise<unknown>;
}

/**
 * Creates the function for a BullMQ worker that runs a processor. While another attempt holds the delivery, the job
 * waits without losing an attempt.
 *
 * @throws WebhookConfigurationError when `processor` is not a processor.
 * @example
 * new Worker('contentgen', bullmqProcessor(processor), { connection, ...bullmqWorkerOptions });
 */
export function bullmqProcessor(
  processor: WebhookProcessor,
): (job: BullmqJob, token?: string, signal?: AbortSignal) => Promise<ProcessResult> {
  assertProcessor(processor, 'bullmqProcessor');
  return async (job, token, signal) => {
    try {
      return await processor.process(job.data as WebhookMessage, { signal });
    } catch (error) {
      const { name, code, retryAfterMs } = Object(error) as Record<string, unknown>;
      if (name !== 'WebhookRetryError' || code !== 'in_flight' || token === undefined) throw error;
      await job.moveToDelayed(now() + Number(retryAfterMs), token);
      // BullMQ recognizes it by its name.
      throw Object.assign(new Error('Waits for another attempt.'), { name: 'DelayedError' });
    }
  };
}

/**
 * Options for the worker: the jobs of a killed worker are taken over after 10 s without a sign of life, no matter how
 * many times that happens. By default, BullMQ waits 30 s and fails a job that it takes over for the second time.
 */
export const bullmqWorkerOptions: {
  /** How long a job stays locked without a renewal, ms. */
  readonly lockDuration: number;
  /** How often a worker looks for stalled jobs, ms. */
  readonly stalledInterval: number;
  /** How many times a job can stall before it fails. */
  readonly maxStalledCount: number;
} = { lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 1_000 };
