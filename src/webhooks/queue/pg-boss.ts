import { count, flag, integerFrom, type OptionRules, text } from '../../option-rules.ts';
import { elapsed } from '../../platform/driver.ts';
import {
  assertOptions,
  checkedLater,
  finite,
  kindOf,
  misconfigured,
} from '../../signing/errors.ts';
import { surviveErrors } from '../keep-alive.ts';
import type { WebhookProcessor } from '../processor.ts';
import { assertProcessor, type Enqueue, jobUuid, type WebhookMessage } from './message.ts';

/** The part of `PgBoss` that {@link pgBossQueue} uses. */
export interface PgBossClient {
  /** Resolves to `null` if the queue has a job with this id, or if the policy of the queue allows no further job. */
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
  /** A queue, if there is one. */
  getQueue(queue: string): Promise<PgBossQueueInfo | null>;
}

/** The part of a queue of pg-boss that {@link pgBossQueue} reads. */
export type PgBossQueueInfo = {
  readonly [Name in keyof PgBossRetries]?: PgBossRetries[Name] | null;
} & {
  /** How many jobs it may have: `standard` and `singleton` queues take any number. */
  readonly policy?: string;
};

/** When pg-boss retries a job. What you set on the queue itself applies where no option is given here. */
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
  /**
   * The name of the queue. Create it first, with the policy `standard` or `singleton`:
   * `boss.createQueue(name, { deadLetter })`.
   */
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

/** A queue whose value is this one was created without the option. */
const pgBossDefaults: Required<PgBossRetries> = {
  expireInSeconds: 900,
  retryLimit: 2,
  retryDelay: 0,
  retryDelayMax: Number.POSITIVE_INFINITY,
  retryBackoff: false,
};
const ourDefaults: Required<PgBossRetries> = {
  expireInSeconds: 300,
  retryLimit: 25,
  retryDelay: 5,
  retryDelayMax: 21_600,
  retryBackoff: true,
};

/** How long the options of a queue are remembered; pg-boss itself reads them every minute too. */
const queueReadEveryMs = 60_000;

/**
 * Puts deliveries on a pg-boss queue: pass it as `enqueue` to a handler. The job id is made from the `webhook-id`, so a
 * repeated delivery adds no second job; if the first one has failed permanently, it is retried. One that you canceled
 * stays canceled, and its delivery is acknowledged: `boss.resume()` runs it. A delivery that the policy of the queue
 * rejects (`short`, `stately` and `exclusive` allow one waiting job) gets a 503.
 *
 * @throws WebhookConfigurationError when an option is unknown or wrong.
 * @example
 * await boss.createQueue('contentgen', { deadLetter: 'contentgen-failed' });
 * createWebhookHandler({ secret, enqueue: pgBossQueue(boss, { queue: 'contentgen' }) });
 */
export function pgBossQueue(boss: PgBossClient, options: PgBossQueueOptions): Enqueue {
  assertOptions(options, rules);
  const { queue, ...given } = options;
  if (queue === undefined) misconfigured('queue is not given', 'Pass the name of the queue.');
  if (typeof boss?.send !== 'function')
    misconfigured(`pgBossQueue got ${kindOf(boss)}, not a PgBoss`, 'Pass the started PgBoss.');
  surviveErrors(boss);
  let known: { readonly info: PgBossQueueInfo; readonly until: number } | undefined;
  const readQueue = async () => {
    if (!known || known.until < elapsed())
      known = { info: (await boss.getQueue(queue)) ?? {}, until: elapsed() + queueReadEveryMs };
    return known.info;
  };
  return async (_event, raw) => {
    const id = await jobUuid(raw.key);
    const info = await readQueue();
    const sent = { id, ...retriesOf(given, info) };
    if ((await boss.send(queue, raw, sent)) !== null) return;
    const job = await boss.getJobById(queue, id);
    if (job?.state === 'failed') await boss.retry(queue, id);
    if (job) return;
    throw new Error(
      `pg-boss did not add the job, because the queue ${queue} has the policy ${info.policy}, which allows only one at a time. ` +
        'Create the queue with the policy standard, or singleton to run one job at a time.',
    );
  };
}

/** For each option: the one given here, or else the queue's own, or else our default. */
function retriesOf(given: PgBossRetries, info: PgBossQueueInfo): PgBossRetries {
  const isSet = ([name, value]: [string, unknown]) =>
    name in pgBossDefaults && value !== pgBossDefaults[name as keyof PgBossRetries];
  const isGiven = ([, value]: [string, unknown]) => value !== undefined && value !== null;
  const { retryDelayMax, ...retries } = {
    ...ourDefaults,
    ...Object.fromEntries(Object.entries(info).filter(isGiven).filter(isSet)),
    ...Object.fromEntries(Object.entries(given).filter(isGiven)),
  };
  // pg-boss rejects it without backoff.
  return retries.retryBackoff ? { ...retries, retryDelayMax } : retries;
}

/** A job as pg-boss passes it to a worker. */
export interface PgBossJob {
  /** Its id. */
  readonly id?: string;
  /** The message. */
  readonly data: unknown;
  /** Aborted when the worker stops; later versions of pg-boss have it. */
  readonly signal?: AbortSignal;
}

/**
 * Creates the handler for a pg-boss worker that runs a processor. The jobs of a batch run concurrently; if one fails,
 * pg-boss retries all of them, and a job that can never be handled takes the others with it to the dead-letter queue.
 * So work with the default `batchSize` of 1, and `localConcurrency`; or use {@link pgBossWork}, which settles each job.
 *
 * @throws WebhookConfigurationError when `processor` is not a processor.
 * @example
 * await boss.work('contentgen', { localConcurrency: 10, pollingIntervalSeconds: 0.5 }, pgBossWorker(processor));
 */
export function pgBossWorker(
  processor: WebhookProcessor,
): (jobs: readonly PgBossJob[]) => Promise<void> {
  const run = processBatch(processor, 'pgBossWorker');
  return async (jobs) => {
    const failed = (await run(jobs)).find(isRejected);
    if (failed) throw failed.reason;
  };
}

/** The part of `PgBoss` that {@link pgBossWork} uses. */
export interface PgBossWorkClient {
  /** Registers a worker and resolves to its id. */
  work(
    queue: string,
    options: {
      /** How many jobs it takes at once. */
      readonly batchSize: number;
      /** Whether the handler returns what became of each job. */
      readonly perJobResults: true;
      /** How often it looks for jobs, in seconds. */
      readonly pollingIntervalSeconds?: number;
    },
    handler: (jobs: PgBossJob[]) => Promise<PgBossJobResult[]>,
  ): Promise<string>;
}

/** What became of a job, as pg-boss reads it. */
export interface PgBossJobResult {
  /** The id of the job. */
  id: string;
  /** `failed` jobs are retried. */
  status: 'completed' | 'failed';
  /** The error. */
  output?: unknown;
}

/** Options of {@link pgBossWork}. */
export interface PgBossWorkOptions {
  /** The name of the queue. */
  readonly queue: string;
  /** What runs the callbacks. */
  readonly processor: WebhookProcessor;
  /** How many jobs run at once, at least 1. @default 10 */
  readonly batchSize?: number;
  /** How often it looks for jobs, in seconds, at least 0.5. @default 2 */
  readonly pollingIntervalSeconds?: number;
}

const workRules: OptionRules<PgBossWorkOptions> = {
  queue: text,
  processor: checkedLater,
  batchSize: integerFrom(1),
  pollingIntervalSeconds: finite('seconds', 0.5),
};

/**
 * Registers a worker that runs batches of jobs, each with an end of its own: a job that fails is retried, and the others
 * are done. Needs pg-boss 12.38; an earlier one retries the whole batch, as with {@link pgBossWorker}. Resolves to the
 * id of the worker.
 *
 * @throws WebhookConfigurationError when an option is unknown or wrong.
 * @example
 * await pgBossWork(boss, { queue: 'contentgen', processor, pollingIntervalSeconds: 0.5 });
 */
export async function pgBossWork(
  boss: PgBossWorkClient,
  options: PgBossWorkOptions,
): Promise<string> {
  assertOptions(options, workRules);
  const { queue, processor, batchSize = 10, pollingIntervalSeconds } = options;
  if (queue === undefined) misconfigured('queue is not given', 'Pass the name of the queue.');
  if (typeof boss?.work !== 'function')
    misconfigured(`pgBossWork got ${kindOf(boss)}, not a PgBoss`, 'Pass the started PgBoss.');
  surviveErrors(boss);
  const run = processBatch(processor, 'pgBossWork');
  const polling = pollingIntervalSeconds === undefined ? {} : { pollingIntervalSeconds };
  return boss.work(queue, { ...polling, batchSize, perJobResults: true }, async (jobs) => {
    const ends = await run(jobs);
    const failed = ends.find(isRejected);
    // Versions that ignore perJobResults would take the jobs that failed for done. Their jobs have no retryCount.
    if (failed && !jobs.every((job) => 'retryCount' in job)) throw failed.reason;
    return jobs.map(({ id = '' }, index) => {
      const end = ends[index];
      return end && isRejected(end)
        ? { id, status: 'failed', output: end.reason }
        : { id, status: 'completed' };
    });
  });
}

function processBatch(processor: WebhookProcessor, adapter: string) {
  assertProcessor(processor, adapter);
  return (jobs: readonly PgBossJob[]) =>
    Promise.allSettled(
      jobs.map(async ({ data, signal }) => processor.process(data as WebhookMessage, { signal })),
    );
}

const isRejected = (end: PromiseSettledResult<unknown>) => end.status === 'rejected';
