import { counters } from './counters.ts';
import { createDueQueue } from './due-queue.ts';
import type { Clock, Store } from './ports.ts';
import type { Job, JobKind } from './records.ts';
import { Stop, type StopSignal } from './stop.ts';

/** Writes what a job came to; runs in one transaction with the removal of the job. */
export type Commit = () => void;

/**
 * Does the work of one job. Whatever is asynchronous happens first; all writing happens in the commit that is
 * answered, which does not run when the job was canceled or the world replaced meanwhile.
 */
export type JobHandler = (
  job: Job,
  context: Flight,
) => Commit | undefined | Promise<Commit | undefined>;

/** One run of a job, which may be stopped; to listen to it costs less than to its signal. */
export interface Flight extends StopSignal {
  readonly signal: AbortSignal;
}

export interface Scheduler {
  /** Call it inside the transaction that the work belongs to. */
  schedule(kind: JobKind, ref: string, at: number): Job;
  /** Removes every job about `ref`, of one kind if given, and aborts those in flight together with tasks about it. */
  cancel(ref: string, kind?: JobKind): void;
  /** Calls back once, on the server's clock. Lives in memory alone. Answers what calls it off. */
  after(ms: number, run: () => void): () => void;
  /** Runs work that is no job, but can be canceled and is waited for like one. */
  task<T>(ref: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** When the next job or timer falls due. */
  nextAt(): number | undefined;
  /** Starts all that is due now, in order, and what that makes due now. */
  runDue(): void;
  /** Jobs and tasks in flight. */
  readonly inFlight: number;
  /** Settles with the next job or task that ends. */
  nextEnd(): Promise<void>;
  /** Tells the listener for when something was scheduled, and with nothing when the clock was moved. */
  onSchedule(listener: (at?: number) => void): void;
  /** Whoever moved the clock, or replaced the jobs, says so. */
  clockMoved(): void;
  /** Takes up the jobs that the store holds: those of a stopped process, or of a snapshot. */
  recover(): void;
  /** Aborts all in flight, for good: nothing of it is written any more. */
  abandon(reason: unknown): void;
  /** Aborted by the next `abandon`. */
  readonly lifetime: AbortSignal;
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

interface Task {
  readonly ref: string;
  readonly controller: AbortController;
}

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

/** A handler is expected to throw nothing; what it throws ends the job and goes to `onFailure`. */
export function createScheduler(
  store: Store,
  clock: Clock,
  handlerOf: (kind: JobKind) => JobHandler,
  onFailure: (error: unknown) => void,
): Scheduler {
  const jobs = store.table('jobs');
  const number = counters(store);
  // Jobs not in flight, and some that are no more: a job is what the store holds.
  const queue = createDueQueue();
  const timers: Timer[] = [];
  const flights = new Map<string, Stop>();
  const tasks = new Set<Task>();
  let endings: (() => void)[] = [];
  let listener: (at?: number) => void = () => {};
  let lifetime = new AbortController();

  function fillQueue(): void {
    queue.clear();
    for (const job of jobs.oldest({ limit: Number.POSITIVE_INFINITY })) {
      if (!flights.has(job.id)) queue.push(job);
    }
  }

  /** The job that falls due next, as the store has it: the id of one that was undone is given again. */
  function nextJob(): Job | undefined {
    for (;;) {
      const queued = queue.first();
      if (!queued) return undefined;
      const job = jobs.get(queued.id);
      if (job && !flights.has(job.id)) return job;
      queue.shift();
    }
  }

  function tellEnd(): void {
    const waiting = endings;
    endings = [];
    for (const end of waiting) end();
  }

  function fail(job: Job, error: unknown): void {
    onFailure(error);
    jobs.delete(job.id);
  }

  function finish(job: Job, commit: Commit | undefined): void {
    try {
      store.transaction(() => {
        if (jobs.delete(job.id)) commit?.();
      });
    } catch (error) {
      fail(job, error);
    }
  }

  function land(job: Job, flight: Stop, settle: () => void): void {
    try {
      if (!flight.aborted) settle();
    } finally {
      if (flights.get(job.id) === flight) {
        flights.delete(job.id);
        // Canceled in a transaction that was undone: there it is again.
        if (flight.aborted && jobs.get(job.id)) queue.push(job);
        tellEnd();
      }
    }
  }

  function start(job: Job): void {
    const flight = new Stop();
    let work: ReturnType<JobHandler>;
    try {
      work = handlerOf(job.kind)(job, flight);
    } catch (error) {
      fail(job, error);
      return;
    }
    if (work === undefined || typeof work === 'function') {
      finish(job, work);
      return;
    }
    flights.set(job.id, flight);
    work.then(
      (commit) => land(job, flight, () => finish(job, commit)),
      (error) => land(job, flight, () => fail(job, error)),
    );
  }

  fillQueue();

  return {
    schedule(kind, ref, at) {
      const job: Job = { id: `job_${pad(at, 16)}_${pad(number.next('jobs'), 12)}`, at, kind, ref };
      jobs.put(job);
      if (queue.size > 2 * jobs.count() + 1000) fillQueue();
      else queue.push(job);
      listener(at);
      return job;
    },
    cancel(ref, kind) {
      for (const job of jobs.oldest({ index: 'ref', key: ref, limit: Number.POSITIVE_INFINITY })) {
        if (kind !== undefined && job.kind !== kind) continue;
        jobs.delete(job.id);
        flights.get(job.id)?.abort(new Error('The work was canceled.'));
      }
      if (kind !== undefined) return;
      for (const task of tasks) {
        if (task.ref === ref) task.controller.abort(new Error('The work was canceled.'));
      }
    },
    after(ms, run) {
      const timer = { at: clock.now() + ms, run };
      let low = timers.length;
      while (low > 0 && (timers[low - 1] as Timer).at > timer.at) low -= 1;
      timers.splice(low, 0, timer);
      listener(timer.at);
      return () => {
        const index = timers.indexOf(timer);
        if (index >= 0) timers.splice(index, 1);
      };
    },
    async task(ref, work) {
      const task = { ref, controller: new AbortController() };
      tasks.add(task);
      try {
        return await work(task.controller.signal);
      } finally {
        tasks.delete(task);
        tellEnd();
      }
    },
    nextAt() {
      const job = nextJob()?.at;
      const timer = timers[0]?.at;
      if (job === undefined) return timer;
      return timer === undefined ? job : Math.min(job, timer);
    },
    runDue() {
      for (;;) {
        const now = clock.now();
        const job = nextJob();
        const timer = timers[0];
        if (timer && timer.at <= now && (!job || timer.at <= job.at)) {
          timers.shift();
          timer.run();
        } else if (job && job.at <= now) {
          queue.shift();
          start(job);
        } else return;
      }
    },
    get inFlight() {
      return flights.size + tasks.size;
    },
    nextEnd() {
      return new Promise((resolve) => {
        if (flights.size + tasks.size === 0) resolve();
        else endings.push(resolve);
      });
    },
    onSchedule(told) {
      listener = told;
    },
    clockMoved: () => listener(),
    recover: fillQueue,
    abandon(reason) {
      const left = [...flights.values(), ...[...tasks].map(({ controller }) => controller)];
      flights.clear();
      tasks.clear();
      timers.length = 0;
      lifetime.abort(reason);
      lifetime = new AbortController();
      for (const stopped of left) stopped.abort(reason);
      tellEnd();
    },
    get lifetime() {
      return lifetime.signal;
    },
  };
}
