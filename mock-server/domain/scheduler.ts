import { nextNumber } from './ids.ts';
import { createJobQueue } from './job-queue.ts';
import { createJobRunner, type JobHandler, type Work } from './job-runner.ts';
import type { Clock, Store } from './ports.ts';
import type { Job, JobKind } from './records.ts';
import { createTimers } from './timers.ts';

export interface Scheduler {
  /** Stores a job. Call it inside the transaction that the job belongs to. */
  schedule(kind: JobKind, ref: string, at: number): Job;
  /**
   * Removes every job about `ref`, of one kind if given, and aborts those in flight. Without a kind, tasks about it
   * too.
   */
  cancel(ref: string, kind?: JobKind): void;
  /** Whether a job about `ref` is in flight. */
  isRunning(ref: string): boolean;
  /** Calls `run` once, `ms` later on the server's clock. Kept in memory only. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Runs work that is not stored as a job but can be canceled and waited for like one. */
  task<T>(ref: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** When the next job or timer falls due. */
  nextAt(): number | undefined;
  /** Starts everything due now, in order, including whatever that makes due now. */
  runDue(): void;
  /** Jobs and tasks in flight. */
  readonly inFlight: number;
  /** What is in flight and really at work: neither waiting for the clock nor for another job. */
  working(): readonly Work[];
  /** Awaits what another job must do first. Until then, the job with that signal is not at work. */
  whileWaiting<T>(signal: AbortSignal, wait: Promise<T>): Promise<T>;
  /** The job with that signal is about to end, so it is worth waiting for again: it counts as new work. */
  expectEnd(signal: AbortSignal): void;
  /** Resolves when the next job or task ends. */
  nextEnd(): Promise<void>;
  /**
   * Sets the listener called with the due time of whatever is scheduled, and with no argument when the clock was moved.
   */
  onSchedule(listener: (at?: number) => void): void;
  /** To be called after moving the clock or replacing the jobs. */
  clockMoved(): void;
  /** Queues the jobs found in the store, after a restart or a restored snapshot. */
  recover(): void;
  /** Aborts everything in flight for good: nothing of it is written. */
  abandon(reason: unknown): void;
  /** Aborted by the next `abandon`. */
  readonly lifetime: AbortSignal;
}

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

/** Handlers should not throw: if one does, its job ends and the error goes to `onFailure`. */
export function createScheduler(
  store: Store,
  clock: Clock,
  handlerOf: (kind: JobKind) => JobHandler,
  onFailure: (error: unknown) => void,
): Scheduler {
  const jobs = store.table('jobs');
  const requeue = (job: Job) => queue.push(job);
  const runner = createJobRunner({ store, handlerOf, onFailure, requeue });
  const queue = createJobQueue(jobs, runner.isRunning);
  const timers = createTimers(clock);
  let listener: (at?: number) => void = () => {};
  let lifetime = new AbortController();

  return {
    schedule(kind, ref, at) {
      const id = `job_${pad(at, 16)}_${pad(nextNumber(store, 'jobs'), 12)}`;
      const job: Job = { id, at, kind, ref };
      jobs.put(job);
      queue.push(job);
      listener(at);
      return job;
    },
    cancel(ref, kind) {
      for (const job of jobs.oldest({ index: 'ref', key: ref, limit: Number.POSITIVE_INFINITY })) {
        if (kind !== undefined && job.kind !== kind) continue;
        jobs.delete(job.id);
        runner.cancelJob(job);
      }
      if (kind === undefined) runner.cancelTasks(ref);
    },
    isRunning: (ref) =>
      jobs
        .oldest({ index: 'ref', key: ref, limit: Number.POSITIVE_INFINITY })
        .some(runner.isRunning),
    after(ms, run) {
      const { at, cancel } = timers.add(ms, run);
      listener(at);
      return cancel;
    },
    task: runner.runTask,
    nextAt: () => earliest(queue.first()?.at, timers.first?.at),
    runDue() {
      for (;;) {
        const now = clock.now();
        const job = queue.first();
        const timer = timers.first;
        if (timer && timer.at <= now && (!job || timer.at <= job.at)) {
          timers.shift();
          timer.run();
        } else if (job && job.at <= now) {
          queue.shift();
          runner.start(job);
        } else return;
      }
    },
    get inFlight() {
      return runner.inFlight;
    },
    working: runner.working,
    whileWaiting: runner.whileWaiting,
    expectEnd: runner.expectEnd,
    nextEnd: runner.nextEnd,
    onSchedule(onScheduled) {
      listener = onScheduled;
    },
    clockMoved: () => listener(),
    recover: queue.reload,
    abandon(reason) {
      timers.clear();
      lifetime.abort(reason);
      lifetime = new AbortController();
      runner.abandon(reason);
    },
    get lifetime() {
      return lifetime.signal;
    },
  };
}
