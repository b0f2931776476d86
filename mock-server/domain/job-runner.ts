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

/** A job or task in flight. */
export interface Work {
  readonly kind: JobKind | 'task';
  /** Id of the row that it is about. */
  readonly ref: string;
}

interface InFlight {
  controller: AbortController;
  work: Work;
}

/** The jobs that the store knows of. */
export interface StoredJobs {
  has(job: Job): boolean;
  /** Removes a job that ends. False if it was removed before, so that its outcome must not be written. */
  remove(job: Job): boolean;
}

export interface JobRunnerOptions {
  readonly store: Store;
  readonly handlerOf: (kind: JobKind) => JobHandler;
  /** Receives what a handler or commit throws; the job is over then. */
  readonly onFailure: (error: unknown) => void;
  /** Called with a job whose cancellation was rolled back. */
  readonly requeue: (job: Job) => void;
  readonly due: StoredJobs;
}

/** Runs jobs and tasks, and knows which are in flight. */
export interface JobRunner {
  readonly inFlight: number;
  /** What is in flight and working rather than waiting. */
  working(): Work[];
  /** The job or task with that signal is in flight but not working, until the returned function is called. */
  startWaiting(signal: AbortSignal): () => void;
  /** Awaits what another job must do first. Until then, the job with that signal is in flight but not working. */
  whileWaiting<T>(signal: AbortSignal, wait: Promise<T>): Promise<T>;
  /** The job with that signal is about to end, so it is worth waiting for again: it counts as new work. */
  expectEnd(signal: AbortSignal): void;
  isRunning(job: Job): boolean;
  /** The job about `ref` that is in flight, and whether it awaits what another job must do first. */
  find(ref: string): { readonly waiting: boolean } | undefined;
  start(job: Job): void;
  runTask<T>(ref: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Aborts the jobs about `ref`, of one kind if given. Without a kind, tasks about it too. */
  cancel(ref: string, kind?: JobKind): void;
  /** Aborts everything in flight and forgets it. */
  abandon(reason: unknown): void;
  /** Resolves when the next job or task ends; right away if none is in flight. */
  nextEnd(): Promise<void>;
}

const isCanceled = ({ controller }: InFlight): boolean => controller.signal.aborted;
const canceled = (): Error => new Error('The job was canceled.');

export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { handlerOf, requeue, due } = options;
  const running = new Map<string, InFlight>();
  /** The jobs that are working rather than waiting: of many in flight, few are. */
  const busy = new Set<InFlight>();
  const entries = new WeakMap<AbortSignal, InFlight>();
  /** The signals of jobs and tasks that await what another job must do first. Weak for the same reason as `spent`. */
  const waits = new WeakSet<AbortSignal>();
  const end = createEndSignal();
  const tasks = createTasks(end.notify, busy, entries);
  const { finish, fail } = createJobEnd(options);
  const all = (): InFlight[] => [...running.values(), ...tasks.list];

  function settle(job: Job, entry: InFlight, write: () => void): void {
    const { signal } = entry.controller;
    try {
      if (!signal.aborted) write();
    } finally {
      if (running.get(job.id) === entry) {
        running.delete(job.id);
        busy.delete(entry);
        entries.delete(signal);
        entry.controller = tasks.spent;
        if (signal.aborted && due.has(job)) requeue(job);
        end.notify();
      }
    }
  }

  function startWaiting(signal: AbortSignal): () => void {
    waits.add(signal);
    const entry = entries.get(signal);
    // Who waits for what works looks again.
    if (entry && busy.delete(entry)) end.notify();
    return () => {
      waits.delete(signal);
      const resumed = entries.get(signal);
      if (resumed) busy.add(resumed);
    };
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
    entries.set(controller.signal, entry);
    if (!waits.has(controller.signal)) busy.add(entry);
    result.then(
      (commit) => settle(job, entry, () => finish(job, commit)),
      (error) => settle(job, entry, () => fail(job, error)),
    );
  }

  return {
    get inFlight() {
      return running.size + tasks.list.size;
    },
    working: () => [...busy].map(({ work }) => work),
    startWaiting,
    async whileWaiting(signal, wait) {
      const resume = startWaiting(signal);
      try {
        return await wait;
      } finally {
        resume();
      }
    },
    expectEnd(signal) {
      const entry = entries.get(signal);
      if (entry) entry.work = { ...entry.work };
    },
    isRunning: ({ id }) => running.has(id),
    find(ref) {
      const entry = [...running.values()].find((one) => one.work.ref === ref && !isCanceled(one));
      return entry && { waiting: !busy.has(entry) };
    },
    start,
    runTask: tasks.run,
    cancel(ref, kind) {
      for (const { work, controller } of all()) {
        if (work.ref === ref && (kind ?? work.kind) === work.kind) controller.abort(canceled());
      }
    },
    abandon(reason) {
      const ended = all();
      running.clear();
      busy.clear();
      tasks.list.clear();
      for (const { controller } of ended) {
        entries.delete(controller.signal);
        controller.abort(reason);
      }
      end.notify();
    },
    nextEnd: () => (running.size + tasks.list.size === 0 ? Promise.resolve() : end.next()),
  };
}

/** Writes the outcome of a job and removes it, in one transaction. */
function createJobEnd({ store, due, onFailure }: JobRunnerOptions) {
  function fail(job: Job, error: unknown): void {
    onFailure(error);
    due.remove(job);
  }

  return {
    fail,
    finish(job: Job, commit: Commit | undefined): void {
      try {
        store.transaction(() => {
          if (due.remove(job)) commit?.();
        });
      } catch (error) {
        fail(job, error);
      }
    },
  };
}

function createTasks(
  onEnd: () => void,
  busy: Set<InFlight>,
  entries: WeakMap<AbortSignal, InFlight>,
) {
  const list = new Set<InFlight>();
  const spent = new AbortController();
  return {
    list,
    /**
     * Replaces the controller of what has ended. Without it, every signal and its listeners would live until the next
     * full garbage collection: when a `Map` or `Set` is resized, V8 keeps the table it had before, with the entries of
     * that time. Not a constant of this file: Workers allow no signal outside of a request.
     */
    spent,
    async run<T>(ref: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const task: InFlight = { controller: new AbortController(), work: { kind: 'task', ref } };
      const { signal } = task.controller;
      list.add(task);
      busy.add(task);
      entries.set(signal, task);
      try {
        return await work(signal);
      } finally {
        list.delete(task);
        busy.delete(task);
        entries.delete(signal);
        task.controller = spent;
        onEnd();
      }
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
