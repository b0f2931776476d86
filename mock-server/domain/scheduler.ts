import { counters } from './counters.ts';
import type { Clock, Store } from './ports.ts';
import type { Job, JobKind } from './records.ts';

/** Writes what a job came to; runs in one transaction with the removal of the job. */
export type Commit = () => void;

/**
 * Does the work of one job. Whatever is asynchronous happens first; all writing happens in the commit that is
 * answered, which does not run when the job was canceled or the world replaced meanwhile.
 */
export type JobHandler = (
  job: Job,
  context: { signal: AbortSignal },
) => Commit | undefined | Promise<Commit | undefined>;

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
  /** Tells the listener whenever something was scheduled, and with `true` when the clock was moved. */
  onSchedule(listener: (clockMoved: boolean) => void): void;
  /** Whoever moved the clock, or replaced the jobs, says so. */
  clockMoved(): void;
  /** Frees what a stopped process left in flight, to be done again. */
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

interface Flight {
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
  const timers: Timer[] = [];
  const flights = new Map<unknown, Flight>();
  let endings: (() => void)[] = [];
  let listener: (clockMoved: boolean) => void = () => {};
  let lifetime = new AbortController();

  function takeOff(key: unknown): void {
    flights.delete(key);
    const waiting = endings;
    endings = [];
    for (const end of waiting) end();
  }

  function finish(job: Job, commit: Commit | undefined): void {
    store.transaction(() => {
      if (!jobs.get(job.id)) return;
      jobs.delete(job.id);
      commit?.();
    });
  }

  function fail(job: Job, error: unknown): void {
    onFailure(error);
    jobs.delete(job.id);
  }

  async function fly(job: Job, flight: Flight, work: Promise<Commit | undefined>): Promise<void> {
    try {
      const commit = await work;
      if (!flight.controller.signal.aborted) finish(job, commit);
    } catch (error) {
      if (!flight.controller.signal.aborted) fail(job, error);
    } finally {
      if (flights.get(job.id) === flight) takeOff(job.id);
    }
  }

  function start(job: Job): void {
    const controller = new AbortController();
    try {
      const work = handlerOf(job.kind)(job, { signal: controller.signal });
      if (work === undefined || typeof work === 'function') {
        finish(job, work);
        return;
      }
      jobs.put({ ...job, running: true });
      const flight = { ref: job.ref, controller };
      flights.set(job.id, flight);
      void fly(job, flight, work);
    } catch (error) {
      fail(job, error);
    }
  }

  return {
    schedule(kind, ref, at) {
      const number = counters(store).next('jobs');
      const job: Job = { id: `job_${pad(at, 16)}_${pad(number, 12)}`, at, kind, ref };
      jobs.put(job);
      listener(false);
      return job;
    },
    cancel(ref, kind) {
      for (const job of jobs.oldest({ index: 'ref', key: ref, limit: Number.POSITIVE_INFINITY })) {
        if (kind !== undefined && job.kind !== kind) continue;
        jobs.delete(job.id);
        flights.get(job.id)?.controller.abort(new Error('The work was canceled.'));
      }
      if (kind !== undefined) return;
      for (const [key, flight] of flights) {
        if (flight.ref === ref && typeof key === 'symbol') {
          flight.controller.abort(new Error('The work was canceled.'));
        }
      }
    },
    after(ms, run) {
      const timer = { at: clock.now() + ms, run };
      let low = timers.length;
      while (low > 0 && (timers[low - 1] as Timer).at > timer.at) low -= 1;
      timers.splice(low, 0, timer);
      listener(false);
      return () => {
        const index = timers.indexOf(timer);
        if (index >= 0) timers.splice(index, 1);
      };
    },
    async task(ref, work) {
      const key = Symbol(ref);
      const controller = new AbortController();
      flights.set(key, { ref, controller });
      try {
        return await work(controller.signal);
      } finally {
        takeOff(key);
      }
    },
    nextAt() {
      const job = jobs.find('waiting', 'yes')?.at;
      const timer = timers[0]?.at;
      if (job === undefined) return timer;
      return timer === undefined ? job : Math.min(job, timer);
    },
    runDue() {
      for (;;) {
        const now = clock.now();
        const job = jobs.find('waiting', 'yes');
        const timer = timers[0];
        if (timer && timer.at <= now && (!job || timer.at <= job.at)) {
          timers.shift();
          timer.run();
        } else if (job && job.at <= now) start(job);
        else return;
      }
    },
    get inFlight() {
      return flights.size;
    },
    nextEnd() {
      return new Promise((resolve) => {
        if (flights.size === 0) resolve();
        else endings.push(resolve);
      });
    },
    onSchedule(told) {
      listener = told;
    },
    clockMoved: () => listener(true),
    recover() {
      const left = jobs.oldest({ index: 'running', key: 'yes', limit: Number.POSITIVE_INFINITY });
      for (const { running: _, ...job } of left) if (!flights.has(job.id)) jobs.put(job);
    },
    abandon(reason) {
      const left = [...flights.values()];
      flights.clear();
      timers.length = 0;
      lifetime.abort(reason);
      lifetime = new AbortController();
      for (const { controller } of left) controller.abort(reason);
      takeOff(undefined);
    },
    get lifetime() {
      return lifetime.signal;
    },
  };
}
