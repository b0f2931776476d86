import { count, flag, integerFrom, type OptionRules, text } from '../../option-rules.ts';
import { assertOptions, kindOf, misconfigured } from '../../signing/errors.ts';
import type { WebhookProcessor } from '../processor.ts';
import { assertProcessor, type Enqueue, jobUuid, type WebhookMessage } from './message.ts';

/** The part of `PgBoss` that {@link pgBossQueue} uses. */
export interface PgBossClient {
  /** Resolves to `null` if the queue has a job with this id. */
  send(queue: string, message: WebhookMessage, options: PgBossSendOptions): Promise<string | null>;
  /** A job, if there is one. */
  getJobById(
    queue: string,
    id: string,
  ): Promise<{
    /** `failed`: pg-boss does not retry it any further. */
    readonly state: string;
  } | null>;
  /** Retries a failed job. */
  retry(queue: string, id: string): Promise<unknown>;
}

/** When pg-boss retries a job. */
export interface PgBossRetries {
  /**
   * Seconds after which pg-boss takes a job away from its worker, dead or still running. Must be longer than your
   * slowest callback; at least 1. pg-boss checks every 60 s (`monitorIntervalSeconds`). @default 300
   */
  readonly expireInSeconds?: number;
  /** How many times a failed job is retried. @default 25 */
  readonly retryLimit?: number;
  /** Seconds before the first retry; the waits double. @default 5 */
  readonly retryDelay?: number;
  /** The longest wait in seconds. @default 21_600 (6 h), three days in all */
  readonly retryDelayMax?: number;
  /** Whether the waits double. @default true */
  readonly retryBackoff?: boolean;
}

/** The options of a job that {@link pgBossQueue} sets. */
export interface PgBossSendOptions extends PgBossRetries {
  /** A UUID made from the `webhook-id`. */
  readonly id: string;
}

/** Options of {@link pgBossQueue}. */
export interface PgBossQueueOptions extends PgBossRetries {
  /** The name of the queue. Create it first: `boss.createQueue(name, { deadLetter })`. */
  readonly queue: string;
}

const rules: OptionRules<PgBossQueueOptions> = {
  queue: text,
  expireInSeconds: integerFrom(1),
  retryLimit: count,
  retryDelay: count,
  retryDelayMax: count,
  retryBackoff: flag,
};

/**
 * Puts deliveries on a pg-boss queue: pass it as `enqueue` to a handler. The job id is made from the `webhook-id`, so a
 * repeated delivery adds no second job; if the first one has failed permanently, it is retried.
 *
 * @throws WebhookConfigurationError when an option is unknown or wrong.
 * @example
 * await boss.createQueue('contentgen', { deadLetter: 'contentgen-failed' });
 * createWebhookHandler({ secret, enqueue: pgBossQueue(boss, { queue: 'contentgen' }) });
 */
export function pgBossQueue(boss: PgBossClient, options: PgBossQueueOptions): Enqueue {
  assertOptions(options, rules);
  const { queue, expireInSeconds = 300, retryLimit = 25, retryDelay = 5 } = options;
  const { retryBackoff = true, retryDelayMax = 21_600 } = options;
  const retries = {
    expireInSeconds,
    retryLimit,
    retryDelay,
    retryBackoff,
    // pg-boss rejects it without backoff.
    ...(retryBackoff && { retryDelayMax }),
  };
  if (queue === undefined) misconfigured('queue is not given', 'Pass the name of the queue.');
  if (typeof boss?.send !== 'function')
    misconfigured(`pgBossQueue got ${kindOf(boss)}, not a PgBoss`, 'Pass the started PgBoss.');
  return async (_event, raw) => {
    const id = await jobUuid(raw.key);
    if ((await boss.send(queue, raw, { ...retries, id })) !== null) return;
    const job = await boss.getJobById(queue, id);
    if (job?.state === 'failed') await boss.retry(queue, id);
  };
}

/** A job as pg-boss passes it to a worker. */
export interface PgBossJob {
  /** The message. */
  readonly data: unknown;
  /** Aborted when the worker stops; later versions of pg-boss have it. */
  readonly signal?: AbortSignal;
}

/**
 * Creates the handler for a pg-boss worker that runs a processor. The jobs of a batch run concurrently; if one fails,
 * pg-boss retries all of them, but those that are done are not repeated.
 *
 * @throws WebhookConfigurationError when `processor` is not a processor.
 * @example
 * await boss.work('contentgen', { pollingIntervalSeconds: 0.5 }, pgBossWorker(processor));
 */
export function pgBossWorker(
  processor: WebhookProcessor,
): (jobs: readonly PgBossJob[]) => Promise<void> {
  assertProcessor(processor, 'pgBossWorker');
  return async (jobs) => {
    const process = async ({ data, signal }: PgBossJob) =>
      processor.process(data as WebhookMessage, { signal });
    const failed = (await Promise.allSettled(jobs.map(process))).find(
      ({ status }) => status === 'rejected',
    ) as PromiseRejectedResult | undefined;
    if (failed) throw failed.reason;
  };
}
