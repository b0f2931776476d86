import { nextNumber } from './ids.ts';
import { createJobRunner, type JobHandler } from './job-runner.ts';
import type { Clock, Store } from './ports.ts';
import type { Job, JobKind } from './records.ts';

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

export function earliest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

export type Scheduler = ReturnType<typeof createScheduler>;

/** Runs jobs when they are due. Handlers should not throw: if one does, its job ends and the error goes to `onFailure`. */
export function createScheduler(
  store: Store,
  clock: Clock,
  handlerOf: (kind: JobKind) => JobHandler,
  onFailure: (error: unknown) => void,
) {
  const jobs = store.table('jobs');
  const due = createDueJobs(store);
  const requeue = (job: Job) => queue.push(job);
  const runner = createJobRunner({ store, handlerOf, onFailure, requeue, due });
  const queue = createJobQueue(due, runner.has);
  const timers = createTimers(clock);
  let listener: (at?: number) => void = () => {};
  let lifetime = new AbortController();

  return {
    /**
     * Stores a job. Call it inside the transaction that the job belongs to. An attempt of a delivery is not stored: it is
     * due when the delivery's row says so.
     */
    schedule(kind: JobKind, ref: string, at: number): void {
      queue.push(due.add(kind, ref, at));
      listener(at);
    },
    /**
     * Removes every job about `ref`, of one kind if given, and aborts those in flight. Without a kind, tasks about it
     * too.
     */
    cancel(ref: string, kind?: JobKind): void {
      for (const job of jobs.oldest({ index: 'ref', key: ref })) {
        if (kind === undefined || job.kind === kind) jobs.delete(job.id);
      }
      runner.cancel(ref, kind);
    },
    isRunning: runner.isRunning,
    isWaiting: runner.isWaiting,
    /** Calls `run` once, `ms` later on the server's clock. Kept only in memory. Returns a function that cancels it. */
    after(ms: number, run: () => void): () => void {
      const { at, cancel } = timers.add(ms, run);
      listener(at);
      return cancel;
    },
    task: runner.task,
    nextAt: (): number | undefined => earliest(queue.first()?.at, timers.first?.at),
    /** Starts everything due now, in order, including jobs that become due as a result. */
    runDue(): void {
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
    get inFlight(): number {
      return runner.inFlight;
    },
    working: runner.working,
    nextEnd: runner.nextEnd,
    /**
     * Sets the listener called with the due time of each newly scheduled job, and with no argument when the clock was moved.
     */
    onSchedule(onScheduled: (at?: number) => void): void {
      listener = onScheduled;
    },
    /** Call it after moving the clock or replacing the jobs. */
    clockMoved: () => listener(),
    /** Queues the jobs found in the store, after a restart or a restored snapshot. */
    recover: queue.reload,
    /** Aborts everything in flight and writes none of it. */
    abandon(reason: unknown): void {
      timers.clear();
      lifetime.abort(reason);
      lifetime = new AbortController();
      runner.abandon(reason);
    },
    /** Aborted by the next `abandon`. */
    get lifetime(): AbortSignal {
      return lifetime.signal;
    },
  };
}

/** A delivery's row says when its next attempt is due, so the attempt needs no row among the jobs. */
const attemptAt = (ref: string, at: number): Job => ({
  id: `${ref}@${at}`,
  at,
  kind: 'delivery.attempt',
  ref,
});

function createDueJobs(store: Store) {
  const jobs = store.table('jobs');
  const deliveries = store.table('deliveries');

  /** The job as the store has it: after a rollback, another job can have its id. */
  function get(job: Job): Job | undefined {
    if (job.kind !== 'delivery.attempt') return jobs.get(job.id);
    return deliveries.get(job.ref)?.nextAttemptAt === job.at ? job : undefined;
  }

  return {
    add(kind: JobKind, ref: string, at: number): Job {
      if (kind === 'delivery.attempt') return attemptAt(ref, at);
      const id = `job_${pad(at, 16)}_${pad(nextNumber(store, 'jobs'), 12)}`;
      const job: Job = { id, at, kind, ref };
      jobs.put(job);
      return job;
    },
    get,
    has: (job: Job) => get(job) !== undefined,
    // An attempt has no row: its outcome changes the delivery's.
    remove: (job: Job) => job.kind === 'delivery.attempt' || jobs.delete(job.id),
    all(): Job[] {
      const found = [...jobs.oldest()];
      for (const { id, nextAttemptAt } of deliveries.oldest()) {
        if (nextAttemptAt !== undefined) found.push(attemptAt(id, nextAttemptAt));
      }
      return found;
    },
    /** At least as many as there are. */
    count: () => jobs.count() + deliveries.count(),
  };
}

/** Jobs that are due at the same time run in the order in which they were scheduled. */
interface Entry {
  readonly job: Job;
  readonly order: number;
}

/** Entries beyond twice the jobs in the store before the queue is rebuilt without canceled ones. */
const STALE_ENTRIES = 1000;

/**
 * Jobs that are not running, in the order in which they fall due: a binary heap over those in the store. Entries whose job was canceled or rolled back stay in the heap until they
 * reach the top: only the store decides what exists.
 */
function createJobQueue(due: ReturnType<typeof createDueJobs>, isRunning: (job: Job) => boolean) {
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
    /** The job that falls due next, as the store has it. */
    first(): Job | undefined {
      for (let [top] = heap; top; [top] = heap) {
        const job = due.get(top.job);
        if (job && !isRunning(job)) return job;
        shiftFrom(heap);
      }
      return undefined;
    },
    push(job: Job): void {
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

/** Callbacks due at a time on the server's clock, sorted. A new one usually goes last, so the search starts from there. */
function createTimers(clock: Clock) {
  const timers: Timer[] = [];
  return {
    get first(): Timer | undefined {
      return timers[0];
    },
    add(ms: number, run: () => void) {
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
