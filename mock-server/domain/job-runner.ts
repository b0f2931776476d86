import type { Store } from './ports.ts';
import type { Job, JobKind } from './records.ts';

/** Writes the outcome of a job, in the transaction that also removes the job. */
export type Commit = () => void;

/** A job or task in flight, as its work sees it. */
export interface Run {
  /** Whether it was canceled or the state replaced. */
  readonly isCanceled: boolean;
  /** Aborted if it is canceled or stopped, or the state is replaced. */
  readonly signal: AbortSignal;
  /** Calls `listener` if it is canceled or the state is replaced, in place of an earlier one. */
  whenCanceled(listener: () => void): void;
  /** Aborts its signal, but what it returns is still written. It is about to end then, so it counts as new work. */
  stop(): void;
  /** It awaits what another job must do first: it is not working until the returned function is called. */
  startWaiting(): () => void;
}

/**
 * Does the work of one job. Everything asynchronous happens first; all writing happens in the returned commit, which
 * does not run if the job was canceled or the state replaced in the meantime.
 */
export type JobHandler = (job: Job, run: Run) => Commit | undefined | Promise<Commit | undefined>;

export interface Work {
  readonly kind: JobKind | 'task';
  readonly ref: string;
}

interface JobRunnerParts {
  readonly store: Store;
  readonly handlerOf: (kind: JobKind) => JobHandler;
  /** Receives what a handler or commit throws; the job is over then. */
  readonly onFailure: (error: unknown) => void;
  /** Called with a job whose cancellation was rolled back. */
  readonly requeue: (job: Job) => void;
  /** The jobs that the store knows of. One that was removed before must not write its outcome. */
  readonly due: { has(job: Job): boolean; remove(job: Job): boolean };
}

/** What is in flight, by the id of its job; a task has an id of its own. */
class Flights {
  readonly all = new Map<string, Flight>();
  /** Those that are working rather than waiting: of many in flight, few are. */
  readonly busy = new Set<Flight>();
  #waiting: (() => void)[] = [];

  add(id: string, flight: Flight): void {
    this.all.set(id, flight);
    flight.isInFlight = true;
    if (!flight.isWaiting) this.busy.add(flight);
  }

  /** False if it was abandoned before. */
  end(id: string, flight: Flight): boolean {
    if (this.all.get(id) !== flight) return false;
    this.all.delete(id);
    this.#leave(flight);
    flight.end();
    this.changed();
    return true;
  }

  abandon(reason: unknown): void {
    const abandoned = [...this.all.values()];
    this.all.clear();
    for (const flight of abandoned) {
      this.#leave(flight);
      flight.cancel(reason);
    }
    this.changed();
  }

  #leave(flight: Flight): void {
    this.busy.delete(flight);
    flight.isInFlight = false;
  }

  nextChange(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  changed(): void {
    const resolvers = this.#waiting;
    this.#waiting = [];
    for (const resolve of resolvers) resolve();
  }
}

class Flight implements Run {
  readonly #flights: Flights;
  /** Created when its signal is first read: many wait, and few of them at once do what can be aborted. */
  #controller: AbortController | undefined;
  #listener: (() => void) | undefined;
  #reason: unknown;
  work: Work;
  isInFlight = false;
  isWaiting = false;
  isCanceled = false;

  constructor(flights: Flights, kind: Work['kind'], ref: string) {
    this.#flights = flights;
    this.work = { kind, ref };
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.isCanceled) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  whenCanceled(listener: () => void): void {
    this.#listener = listener;
  }

  cancel(reason: unknown): void {
    if (this.isCanceled) return;
    this.isCanceled = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#listener?.();
  }

  stop(): void {
    this.work = { ...this.work };
    this.#controller?.abort();
  }

  /**
   * Lets go of its signal, which would live until the next full garbage collection with all its listeners: when a `Map`
   * or `Set` is resized, V8 keeps the table it had before, with the entries of that time.
   */
  end(): void {
    this.#controller = undefined;
    this.#listener = undefined;
  }

  startWaiting(): () => void {
    const { busy } = this.#flights;
    this.isWaiting = true;
    // Who waits for what works looks again.
    if (busy.delete(this)) this.#flights.changed();
    return () => {
      this.isWaiting = false;
      if (this.isInFlight) busy.add(this);
    };
  }
}

const canceled = (): Error => new Error('The job was canceled.');

/** Runs jobs and tasks, and knows which are in flight. */
export function createJobRunner(parts: JobRunnerParts) {
  const { store, handlerOf, onFailure, requeue, due } = parts;
  const flights = new Flights();
  let tasks = 0;

  function fail(job: Job, error: unknown): void {
    onFailure(error);
    due.remove(job);
  }

  /** Writes the outcome of a job and removes it, in one transaction. */
  function finish(job: Job, commit: Commit | undefined): void {
    try {
      store.transaction(() => {
        if (due.remove(job)) commit?.();
      });
    } catch (error) {
      fail(job, error);
    }
  }

  function settle(job: Job, flight: Flight, write: () => void): void {
    try {
      if (!flight.isCanceled) write();
    } finally {
      if (flights.end(job.id, flight) && flight.isCanceled && due.has(job)) requeue(job);
    }
  }

  /** The job about `ref` that is in flight and not canceled. */
  function find(ref: string): Flight | undefined {
    for (const flight of flights.all.values()) {
      if (flight.work.ref === ref && flight.work.kind !== 'task' && !flight.isCanceled)
        return flight;
    }
    return undefined;
  }

  return {
    get inFlight(): number {
      return flights.all.size;
    },
    /** What is in flight and working: waiting neither for the clock nor for another job. */
    working: (): readonly Work[] => [...flights.busy].map(({ work }) => work),
    isRunning: (ref: string) => find(ref) !== undefined,
    /** Whether a job about `ref` is in flight, but awaits what another job must do first. */
    isWaiting: (ref: string) => find(ref)?.isWaiting === true,
    /** Runs work that is not stored as a job but can be canceled and waited for like one. */
    async task<T>(ref: string, work: (run: Run) => Promise<T>): Promise<T> {
      const flight = new Flight(flights, 'task', ref);
      tasks += 1;
      const id = `task_${tasks}`;
      flights.add(id, flight);
      try {
        return await work(flight);
      } finally {
        flights.end(id, flight);
      }
    },
    /** Resolves when the next job or task ends; right away if none is in flight. */
    nextEnd: (): Promise<void> =>
      flights.all.size === 0 ? Promise.resolve() : flights.nextChange(),
    has: ({ id }: Job) => flights.all.has(id),
    start(job: Job): void {
      const flight = new Flight(flights, job.kind, job.ref);
      let result: ReturnType<JobHandler>;
      try {
        result = handlerOf(job.kind)(job, flight);
      } catch (error) {
        fail(job, error);
        return;
      }
      if (!(result instanceof Promise)) {
        finish(job, result);
        return;
      }
      flights.add(job.id, flight);
      result.then(
        (commit) => settle(job, flight, () => finish(job, commit)),
        (error) => settle(job, flight, () => fail(job, error)),
      );
    },
    /** Aborts the jobs about `ref`, of one kind if given. Without a kind, tasks about it too. */
    cancel(ref: string, kind?: JobKind): void {
      for (const flight of [...flights.all.values()]) {
        const { work } = flight;
        if (work.ref === ref && (kind ?? work.kind) === work.kind) flight.cancel(canceled());
      }
    },
    /** Aborts everything in flight and forgets it. */
    abandon: (reason: unknown) => flights.abandon(reason),
  };
}
