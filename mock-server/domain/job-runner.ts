import type { Store } from './ports.ts';
import type { Job, JobKind } from './records.ts';

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
  isRunning(job: Job): boolean;
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
  const { store, handlerOf, onFailure, requeue } = options;
  const jobs = store.table('jobs');
  const running = new Map<string, AbortController>();
  const end = createEndSignal();
  const tasks = createTasks(end.notify);

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

  function settle(job: Job, controller: AbortController, write: () => void): void {
    const { signal } = controller;
    try {
      if (!signal.aborted) write();
    } finally {
      if (running.get(job.id) === controller) {
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
    running.set(job.id, controller);
    result.then(
      (commit) => settle(job, controller, () => finish(job, commit)),
      (error) => settle(job, controller, () => fail(job, error)),
    );
  }

  return {
    get inFlight() {
      return running.size + tasks.size;
    },
    isRunning: ({ id }) => running.has(id),
    start,
    runTask: tasks.run,
    cancelJob: ({ id }) => running.get(id)?.abort(canceled()),
    cancelTasks: tasks.cancel,
    abandon(reason) {
      const controllers = [...running.values(), ...tasks.clear()];
      running.clear();
      for (const controller of controllers) controller.abort(reason);
      end.notify();
    },
    nextEnd: () => (running.size + tasks.size === 0 ? Promise.resolve() : end.next()),
  };
}

function createTasks(onEnd: () => void) {
  const tasks = new Set<{ readonly ref: string; readonly controller: AbortController }>();
  return {
    get size() {
      return tasks.size;
    },
    async run<T>(ref: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const task = { ref, controller: new AbortController() };
      tasks.add(task);
      try {
        return await work(task.controller.signal);
      } finally {
        tasks.delete(task);
        onEnd();
      }
    },
    cancel(ref: string) {
      for (const task of tasks) if (task.ref === ref) task.controller.abort(canceled());
    },
    /** Forgets all tasks and returns their controllers. */
    clear(): AbortController[] {
      const controllers = Array.from(tasks, ({ controller }) => controller);
      tasks.clear();
      return controllers;
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
