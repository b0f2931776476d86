import type { Store } from './ports.ts';
import type { Job, JobKind } from './records.ts';

function workOf(inFlight: readonly InFlight[], waiting: ReadonlySet<AbortSignal>): Work[] {
  const working = inFlight.filter(({ controller }) => !waiting.has(controller.signal));
  return working.map(({ work }) => work);
}

/** Writes the outcome of a job, in the transaction that also removes the job. */
export type Commit = () => void;

/**
 * Does the work of one job. Everything asynchronous happens first; all writing happens in the returned commit, which
 * does not run if the job was canceled or the state replaced in the meantime: `signal` is aborted then.
 */
export type JobHandler = (
  job: Job,
  signal: AbortSignal,
) => Commit | undefined | Promise<Commit | undefined>;

/** A job or task in flight. */
export interface Work {
  readonly kind: JobKind | 'task';
  /** Id of the row that it is about. */
  readonly ref: string;
}

interface InFlight {
  readonly controller: AbortController;
  work: Work;
}

export interface JobRunnerOptions {
  readonly store: Store;
  readonly handlerOf: (kind: JobKind) => JobHandler;
  /** Receives what a handler or commit throws; the job is over then. */
  readonly onFailure: (error: unknown) => void;
  /** Called with a job whose cancellation was rolled back. */
  readonly requeue: (job: Job) => void;
}

/** Runs jobs and tasks, and knows which are in flight. */
export interface JobRunner {
  readonly inFlight: number;
  /** What is in flight and working rather than waiting. */
  working(): Work[];
  /** Awaits what another job must do first. Until then, the job with that signal is in flight but not working. */
  whileWaiting<T>(signal: AbortSignal, wait: Promise<T>): Promise<T>;
  /** The job with that signal is about to end, so it is worth waiting for again: it counts as new work. */
  expectEnd(signal: AbortSignal): void;
  isRunning(job: Job): boolean;
  /** Whether it runs, but awaits what another job must do first. */
  isWaiting(job: Job): boolean;
  start(job: Job): void;
  runTask<T>(ref: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  cancelJob(job: Job): void;
  cancelTasks(ref: string): void;
  /** Aborts everything in flight and forgets it. */
  abandon(reason: unknown): void;
  /** Resolves when the next job or task ends; right away if none is in flight. */
  nextEnd(): Promise<void>;
}

const canceled = (): Error => new Error('The job was canceled.');

export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { store, handlerOf, requeue } = options;
  const jobs = store.table('jobs');
  const running = new Map<string, InFlight>();
  const waiting = new Set<AbortSignal>();
  const end = createEndSignal();
  const tasks = createTasks(end.notify);
  const { finish, fail } = createJobEnd(options);

  function settle(job: Job, entry: InFlight, write: () => void): void {
    const { signal } = entry.controller;
    try {
      if (!signal.aborted) write();
    } finally {
      if (running.get(job.id) === entry) {
        running.delete(job.id);
        if (signal.aborted && jobs.get(job.id)) requeue(job);
        end.notify();
      }
    }
  }

  function start(job: Job): void {
    const controller = new AbortController();
    let result: ReturnType<JobHandler>;
    try {
      result = handlerOf(job.kind)(job, controller.signal);
    } catch (error) {
      fail(job, error);
      return;
    }
    if (!(result instanceof Promise)) {
      finish(job, result);
      return;
    }
    const entry: InFlight = { controller, work: { kind: job.kind, ref: job.ref } };
    running.set(job.id, entry);
    result.then(
      (commit) => settle(job, entry, () => finish(job, commit)),
      (error) => settle(job, entry, () => fail(job, error)),
    );
  }

  return {
    get inFlight() {
      return running.size + tasks.list.size;
    },
    working: () => workOf([...running.values(), ...tasks.list], waiting),
    async whileWaiting(signal, wait) {
      waiting.add(signal);
      try {
        return await wait;
      } finally {
        waiting.delete(signal);
      }
    },
    expectEnd(signal) {
      for (const entry of running.values()) {
        if (entry.controller.signal === signal) entry.work = { ...entry.work };
      }
    },
    isRunning: ({ id }) => running.has(id),
    isWaiting({ id }) {
      const entry = running.get(id);
      return entry !== undefined && waiting.has(entry.controller.signal);
    },
    start,
    runTask: tasks.run,
    cancelJob: ({ id }) => running.get(id)?.controller.abort(canceled()),
    cancelTasks: tasks.cancel,
    abandon(reason) {
      const ended = [...running.values(), ...tasks.list];
      running.clear();
      tasks.list.clear();
      for (const { controller } of ended) controller.abort(reason);
      end.notify();
    },
    nextEnd: () => (running.size + tasks.list.size === 0 ? Promise.resolve() : end.next()),
  };
}

/** Writes the outcome of a job and removes it, in one transaction. */
function createJobEnd({ store, onFailure }: JobRunnerOptions) {
  const jobs = store.table('jobs');

  function fail(job: Job, error: unknown): void {
    onFailure(error);
    jobs.delete(job.id);
  }

  return {
    fail,
    finish(job: Job, commit: Commit | undefined): void {
      try {
        store.transaction(() => {
          if (jobs.delete(job.id)) commit?.();
        });
      } catch (error) {
        fail(job, error);
      }
    },
  };
}

function createTasks(onEnd: () => void) {
  const list = new Set<InFlight>();
  return {
    list,
    async run<T>(ref: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const task: InFlight = { controller: new AbortController(), work: { kind: 'task', ref } };
      list.add(task);
      try {
        return await work(task.controller.signal);
      } finally {
        list.delete(task);
        onEnd();
      }
    },
    cancel(ref: string) {
      for (const { work, controller } of list) if (work.ref === ref) controller.abort(canceled());
    },
  };
}

function createEndSignal() {
  let waiting: (() => void)[] = [];
  return {
    next: () => new Promise<void>((resolve) => waiting.push(resolve)),
    notify() {
      const resolvers = waiting;
      waiting = [];
      for (const resolve of resolvers) resolve();
    },
  };
}
