import { nextNumber } from './ids.ts';
import { createJobRunner, type JobHandler, type JobRunner, type StoredJobs } from './job-runner.ts';
import type { Clock, Store } from './ports.ts';
import type { Job, JobKind } from './records.ts';

/** Runs jobs when they are due. */
export interface Scheduler
  extends Pick<JobRunner, 'inFlight' | 'working' | 'isRunning' | 'isWaiting' | 'task' | 'nextEnd'> {
  /**
   * Stores a job. Call it inside the transaction that the job belongs to. An attempt of a delivery is not stored: it is
   * due when the delivery's row says so.
   */
  schedule(kind: JobKind, ref: string, at: number): void;
  /**
   * Removes every job about `ref`, of one kind if given, and aborts those in flight. Without a kind, tasks about it
   * too.
   */
  cancel(ref: string, kind?: JobKind): void;
  /** Calls `run` once, `ms` later on the server's clock. Kept only in memory. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
  /** When the next job or timer falls due. */
  nextAt(): number | undefined;
  /** Starts everything due now, in order, including jobs that become due as a result. */
  runDue(): void;
  /**
   * Sets the listener called with the due time of each newly scheduled job, and with no argument when the clock was moved.
   */
  onSchedule(listener: (at?: number) => void): void;
  /** Call it after moving the clock or replacing the jobs. */
  clockMoved(): void;
  /** Queues the jobs found in the store, after a restart or a restored snapshot. */
  recover(): void;
  /** Aborts everything in flight and writes none of it. */
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
  const due = createDueJobs(store);
  const requeue = (job: Job) => queue.push(job);
  const runner = createJobRunner({ store, handlerOf, onFailure, requeue, due });
  const queue = createJobQueue(due, runner.has);
  const timers = createTimers(clock);
  let listener: (at?: number) => void = () => {};
  let lifetime = new AbortController();

  return {
    schedule(kind, ref, at) {
      queue.push(due.add(kind, ref, at));
      listener(at);
    },
    cancel(ref, kind) {
      for (const job of jobs.oldest({ ...everything, index: 'ref', key: ref })) {
        if (kind === undefined || job.kind === kind) jobs.delete(job.id);
      }
      runner.cancel(ref, kind);
    },
    isRunning: runner.isRunning,
    isWaiting: runner.isWaiting,
    after(ms, run) {
      const { at, cancel } = timers.add(ms, run);
      listener(at);
      return cancel;
    },
    task: runner.task,
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

const everything = { limit: Number.POSITIVE_INFINITY };

/** A delivery's row says when its next attempt is due, so the attempt needs no row among the jobs. */
const attemptAt = (ref: string, at: number): Job => ({
  id: `${ref}@${at}`,
  at,
  kind: 'delivery.attempt',
  ref,
});

interface DueJobs extends StoredJobs {
  add(kind: JobKind, ref: string, at: number): Job;
  /** The job as the store has it: after a rollback, another job can have its id. */
  get(job: Job): Job | undefined;
  all(): Job[];
  /** At least as many as there are. */
  count(): number;
}

function createDueJobs(store: Store): DueJobs {
  const jobs = store.table('jobs');
  const deliveries = store.table('deliveries');

  function get(job: Job): Job | undefined {
    if (job.kind !== 'delivery.attempt') return jobs.get(job.id);
    return deliveries.get(job.ref)?.nextAttemptAt === job.at ? job : undefined;
  }

  return {
    add(kind, ref, at) {
      if (kind === 'delivery.attempt') return attemptAt(ref, at);
      const id = `job_${pad(at, 16)}_${pad(nextNumber(store, 'jobs'), 12)}`;
      const job: Job = { id, at, kind, ref };
      jobs.put(job);
      return job;
    },
    get,
    has: (job) => get(job) !== undefined,
    // An attempt has no row: its outcome changes the delivery's.
    remove: (job) => job.kind === 'delivery.attempt' || jobs.delete(job.id),
    all() {
      const found = [...jobs.oldest(everything)];
      for (const { id, nextAttemptAt } of deliveries.oldest(everything)) {
        if (nextAttemptAt !== undefined) found.push(attemptAt(id, nextAttemptAt));
      }
      return found;
    },
    count: () => jobs.count() + deliveries.count(),
  };
}

/** Jobs that are not running, in the order in which they fall due. */
export interface JobQueue {
  /** The job that falls due next, as the store has it. */
  first(): Job | undefined;
  push(job: Job): void;
  shift(): void;
  /** Starts over with the jobs in the store. */
  reload(): void;
}

/** Jobs that are due at the same time run in the order in which they were scheduled. */
interface Entry {
  readonly job: Job;
  readonly order: number;
}

/** Entries beyond twice the jobs in the store before the queue is rebuilt without canceled ones. */
const STALE_ENTRIES = 1000;

/**
 * A binary heap over the jobs in the store. Entries whose job was canceled or rolled back stay in the heap until they
 * reach the top: only the store decides what exists.
 */
function createJobQueue(due: DueJobs, isRunning: (job: Job) => boolean): JobQueue {
  const heap: Entry[] = [];
  let order = 0;

  function add(job: Job): void {
    order += 1;
    pushTo(heap, { job, order });
  }

  function reload(): void {
    heap.length = 0;
    for (const job of due.all()) if (!isRunning(job)) add(job);
  }

  reload();
  return {
    first() {
      for (let [top] = heap; top; [top] = heap) {
        const job = due.get(top.job);
        if (job && !isRunning(job)) return job;
        shiftFrom(heap);
      }
      return undefined;
    },
    push(job) {
      if (heap.length > STALE_ENTRIES && heap.length > 2 * due.count() + STALE_ENTRIES) reload();
      else add(job);
    },
    shift: () => shiftFrom(heap),
    reload,
  };
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.job.at === b.job.at ? a.order < b.order : a.job.at < b.job.at;
}

function pushTo(heap: Entry[], entry: Entry): void {
  let index = heap.length;
  heap.push(entry);
  while (index > 0) {
    const parentIndex = (index - 1) >>> 1;
    const parent = heap[parentIndex] as Entry;
    if (!isBefore(entry, parent)) break;
    heap[index] = parent;
    index = parentIndex;
  }
  heap[index] = entry;
}

function shiftFrom(heap: Entry[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let index = 0;
  for (let child = 1; child < heap.length; child = 2 * index + 1) {
    const right = heap[child + 1];
    if (right && isBefore(right, heap[child] as Entry)) child += 1;
    const smaller = heap[child] as Entry;
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
