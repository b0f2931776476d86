import type { DiskOperations, DiskValues } from './disk.ts';
import type { InstanceContext } from './options.ts';

export type { BullmqJob, BullmqJobOptions, BullmqQueue } from '../../src/webhooks/queue/bullmq.ts';
export type {
  GraphileHelpers,
  GraphileUnlocker,
  GraphileUtils,
  WithPgClient,
} from '../../src/webhooks/queue/graphile-worker.ts';
export type {
  PgBossClient,
  PgBossJob,
  PgBossJobResult,
  PgBossRetries,
} from '../../src/webhooks/queue/pg-boss.ts';

/** What the stand-ins for queues take of the context of an instance. */
export type QueueContext = Pick<InstanceContext, 'clock' | 'mock' | 'random'>;

/** A job on the disk. */
export interface Job {
  readonly number: number;
  /** The id or key by which the queue finds it. */
  readonly key: string | undefined;
  readonly queue: string;
  readonly data: unknown;
  readonly state: 'waiting' | 'active' | 'completed' | 'failed';
  readonly attempts: number;
  readonly maxAttempts: number;
  /** Milliseconds since 1970. */
  readonly runAt: number;
  /** How many times a worker has taken it, so that a worker which lost it cannot end it. */
  readonly taken: number;
  /** While it is active: until when its worker has it, ms since 1970. */
  readonly lockedUntil: number;
  /** What else the queue keeps of it. */
  readonly options: Readonly<Record<string, unknown>>;
}

type NewJob = Pick<Job, 'key' | 'queue' | 'data' | 'maxAttempts' | 'options'>;

/** The jobs of all queues, within one step. */
export interface Jobs {
  all(): Job[];
  find(queue: string, key: string): Job | undefined;
  add(job: NewJob): void;
  put(job: Job): void;
  delete(job: Job): void;
  now(): number;
}

/** Runs `work` on the jobs as one step. */
export type AtomicJobs = <T>(what: string, work: (jobs: Jobs) => T) => Promise<T>;

const PREFIX = 'job/';

export function openJobs(store: DiskOperations, { mock }: QueueContext): AtomicJobs {
  const { now } = mock.clock;
  return (what, work) => store.atomic(what, (values) => work(jobsIn(values, now)));
}

function jobsIn(values: DiskValues, now: () => number): Jobs {
  const put = (job: Job) => values.set(`${PREFIX}${job.number}`, job);
  const all = () =>
    values
      .keys(PREFIX)
      .map((key) => values.get<Job>(key) as Job)
      .sort((a, b) => a.runAt - b.runAt || a.number - b.number);
  return {
    all,
    put,
    now,
    find: (queue, key) => all().find((job) => job.queue === queue && job.key === key),
    delete: ({ number }) => values.delete(`${PREFIX}${number}`),
    add(job) {
      const number = (values.get<number>('last') ?? 0) + 1;
      values.set('last', number);
      const fresh = { state: 'waiting', attempts: 0, taken: 0, lockedUntil: 0 } as const;
      put({ ...job, ...fresh, number, runAt: now() });
    },
  };
}

/** How a queue works off its jobs. */
export interface WorkerRules {
  readonly queue: string;
  readonly pollMs: number;
  readonly concurrency: number;
  /** How long a worker has a job, ms. */
  lockMs(job: Job): number;
  /** How often it renews its locks, ms. @default never */
  readonly renewMs?: number;
  /** Counts an attempt when a worker takes a job, not when it fails. */
  readonly countsTaken?: boolean;
  /** A job whose worker lost it: what becomes of it before another worker looks. */
  lost(job: Job, jobs: Jobs): Job;
  /** A job that has failed. */
  failed(job: Job, jobs: Jobs): Job;
  /** A job that has succeeded. @default it stays, as completed */
  completed?(job: Job, jobs: Jobs): void;
  /** Whether the job has to wait for another one. */
  waits?(job: Job, all: readonly Job[]): boolean;
  /** Runs a job. Resolves to the time of the next look at it, if it only has to wait. */
  run(job: Job): Promise<number | undefined>;
}

/** Starts a worker, which ends with its instance. */
export function startWorker(atomic: AtomicJobs, { clock }: QueueContext, rules: WorkerRules): void {
  const { queue, concurrency, pollMs } = rules;
  const completed = (job: Job, jobs: Jobs) =>
    rules.completed ? rules.completed(job, jobs) : jobs.put({ ...job, state: 'completed' });
  const running = new Map<number, Job>();
  let isLooking = false;

  const take = (jobs: Jobs): Job[] => {
    const lost = (job: Job) => job.state === 'active' && job.lockedUntil <= jobs.now();
    for (const job of jobs.all())
      if (job.queue === queue && lost(job)) jobs.put(rules.lost(job, jobs));
    const taken: Job[] = [];
    for (const job of jobs.all()) {
      if (taken.length + running.size >= concurrency) break;
      const isDue = job.queue === queue && job.state === 'waiting' && job.runAt <= jobs.now();
      if (!isDue || rules.waits?.(job, jobs.all())) continue;
      const active: Job = {
        ...job,
        state: 'active',
        taken: job.taken + 1,
        attempts: job.attempts + (rules.countsTaken ? 1 : 0),
        lockedUntil: jobs.now() + rules.lockMs(job),
      };
      jobs.put(active);
      taken.push(active);
    }
    return taken;
  };
  /** Changes a job, unless another worker has it by now. */
  const change = (job: Job, what: string, to: (kept: Job, jobs: Jobs) => void) =>
    atomic(`${what} ${job.key ?? job.number}`, (jobs) => {
      const kept = jobs.all().find(({ number }) => number === job.number);
      if (kept?.state === 'active' && kept.taken === job.taken) to(kept, jobs);
    });

  async function run(job: Job): Promise<void> {
    running.set(job.number, job);
    const end = await rules.run(job).then(
      (runAt) => (runAt === undefined ? 'completed' : runAt),
      () => 'failed' as const,
    );
    if (end === 'completed') await change(job, 'complete', completed);
    else if (end === 'failed')
      await change(job, 'fail', (kept, jobs) => jobs.put(rules.failed(kept, jobs)));
    else
      await change(job, 'delay', (kept, jobs) =>
        jobs.put({ ...kept, state: 'waiting', runAt: end }),
      );
    running.delete(job.number);
  }
  async function look(): Promise<void> {
    if (isLooking || running.size >= concurrency) return;
    isLooking = true;
    for (const job of await atomic(`take ${queue}`, take)) void run(job);
    isLooking = false;
  }
  clock.every(pollMs, () => void look());
  if (rules.renewMs !== undefined)
    clock.every(rules.renewMs, () => {
      for (const job of running.values())
        void change(job, 'renew', (kept, jobs) =>
          jobs.put({ ...kept, lockedUntil: jobs.now() + rules.lockMs(kept) }),
        );
    });
}

/** The job, to be taken again after this many ms; failed for good if it has no attempt left. */
export function retried(job: Job, jobs: Jobs, waitMs: number): Job {
  if (job.attempts >= job.maxAttempts) return { ...job, state: 'failed' };
  return { ...job, state: 'waiting', runAt: jobs.now() + waitMs };
}
