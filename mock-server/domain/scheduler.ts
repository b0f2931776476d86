import { nextNumber } from './ids.ts';
import { createJobRunner, type JobHandler, type Work } from './job-runner.ts';
import type { Clock, Store, Table } from './ports.ts';
import type { Job, JobKind } from './records.ts';

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
  /** Whether a job about `ref` is in flight, but awaits what another job must do first. */
  isWaiting(ref: string): boolean;
  /** Calls `run` once, `ms` later on the server's clock. Kept only in memory. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Runs work that is not stored as a job but can be canceled and waited for like one. */
  task<T>(ref: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** When the next job or timer falls due. */
  nextAt(): number | undefined;
  /** Starts everything due now, in order, including whatever that makes due now. */
  runDue(): void;
  /** The number of jobs and tasks in flight. */
  readonly inFlight: number;
  /** What is in flight and working: waiting neither for the clock nor for another job. */
  working(): readonly Work[];
  /** Awaits what another job must do first. Until then, the job with that signal is not working. */
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
  /** Aborts everything in flight; nothing of it is written. */
  abandon(reason: unknown): void;
  /** Aborted by the next `abandon`. */
  readonly lifetime: AbortSignal;
}

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

/** The earlier of two times, either of which can be missing. */
export function earliest(a: number | undefined, b: number | undefined): number | undefined {
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
  const jobsOf = (ref: string): Job[] =>
    jobs.oldest({ index: 'ref', key: ref, limit: Number.POSITIVE_INFINITY });
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
      for (const job of jobsOf(ref)) {
        if (kind !== undefined && job.kind !== kind) continue;
        jobs.delete(job.id);
        runner.cancelJob(job);
      }
      if (kind === undefined) runner.cancelTasks(ref);
    },
    isRunning: (ref) => jobsOf(ref).some(runner.isRunning),
    isWaiting: (ref) => jobsOf(ref).some(runner.isWaiting),
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

/** Stored jobs that are not running, in the order in which they fall due. */
export interface JobQueue {
  /** The job that falls due next, as the store has it. */
  first(): Job | undefined;
  push(job: Job): void;
  shift(): void;
  /** Starts over with the jobs in the store. */
  reload(): void;
}

/** Entries beyond twice the stored jobs before the queue is rebuilt without canceled ones. */
const STALE_ENTRIES = 1000;

/**
 * A binary heap over the table of jobs. Entries whose job was canceled or rolled back stay in the heap until they
 * reach the top: only the store decides what exists.
 */
function createJobQueue(jobs: Table<Job>, isRunning: (job: Job) => boolean): JobQueue {
  const heap: Job[] = [];

  function reload(): void {
    heap.length = 0;
    for (const job of jobs.oldest({ limit: Number.POSITIVE_INFINITY })) {
      if (!isRunning(job)) pushTo(heap, job);
    }
  }

  reload();
  return {
    first() {
      for (let [top] = heap; top; [top] = heap) {
        // Read again: after a rollback, another job can get the same id.
        const job = jobs.get(top.id);
        if (job && !isRunning(job)) return job;
        shiftFrom(heap);
      }
      return undefined;
    },
    push(job) {
      if (heap.length > 2 * jobs.count() + STALE_ENTRIES) reload();
      else pushTo(heap, job);
    },
    shift: () => shiftFrom(heap),
    reload,
  };
}

function isBefore(a: Job, b: Job): boolean {
  return a.at === b.at ? a.id < b.id : a.at < b.at;
}

function pushTo(heap: Job[], job: Job): void {
  let index = heap.length;
  heap.push(job);
  while (index > 0) {
    const parentIndex = (index - 1) >>> 1;
    const parent = heap[parentIndex] as Job;
    if (!isBefore(job, parent)) break;
    heap[index] = parent;
    index = parentIndex;
  }
  heap[index] = job;
}

function shiftFrom(heap: Job[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let index = 0;
  for (let child = 1; child < heap.length; child = 2 * index + 1) {
    const right = heap[child + 1];
    if (right && isBefore(right, heap[child] as Job)) child += 1;
    const smaller = heap[child] as Job;
    if (isBefore(last, smaller)) break;
    heap[index] = smaller;
    index = child;
  }
  heap[index] = last;
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** Callbacks due at a time on the server's clock, only in memory. */
export interface Timers {
  /** The one that is due next. */
  readonly first: Timer | undefined;
  /** Returns the timer's due time and a function that cancels it. */
  add(ms: number, run: () => void): { readonly at: number; cancel(): void };
  shift(): Timer | undefined;
  clear(): void;
}

/** Keeps timers sorted. A new one usually goes last, so the search starts from there. */
function createTimers(clock: Clock): Timers {
  const timers: Timer[] = [];
  return {
    get first() {
      return timers[0];
    },
    add(ms, run) {
      const timer = { at: clock.now() + ms, run };
      let index = timers.length;
      while (index > 0 && (timers[index - 1] as Timer).at > timer.at) index -= 1;
      timers.splice(index, 0, timer);
      return {
        at: timer.at,
        cancel() {
          const found = timers.indexOf(timer);
          if (found >= 0) timers.splice(found, 1);
        },
      };
    },
    shift: () => timers.shift(),
    clear() {
      timers.length = 0;
    },
  };
}
