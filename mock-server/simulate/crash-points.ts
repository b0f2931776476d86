import type { Life } from './life.ts';
import type { Simulation } from './simulation.ts';
import type { Step } from './steps.ts';

const LONGEST_PAUSE_S = 120;
/** So that every run ends. */
const MOST_CRASHES = 4;
const MOST_PAUSES = 4;
/** A minute after `run`, or when nothing has changed for this long, instances run on: restarts also heal mistakes. */
const CALM_AFTER_MS = 60_000;
const QUIET_MS = 10_000;

const CALL_FAULTS = ['crash before', 'crash after', 'pause'] as const;
type CallFault = (typeof CALL_FAULTS)[number];

/** The result of a call; everything else stands still while it is pending. */
export type Outcome<T> = { readonly result: T } | { readonly pending: Promise<T> };

type Work<T> = () => Outcome<T> | undefined;
type Done<T> = { readonly result: T } | { readonly error: unknown };
type Settle<T> = (done: Done<T>) => void;

/** Where the calls of instances happen: at each one, the instance can crash or freeze. */
export interface CrashPoints {
  /**
   * Makes a call of an instance when its turn has come. Once the instance has crashed, the call never settles. If `work`
   * returns undefined, it is called again after a transaction has ended.
   *
   * @param about - What it writes, and how many ms it takes until its turn.
   */
  call<T>(
    life: Life | undefined,
    what: string,
    work: Work<T>,
    about?: { readonly detail?: string | undefined; readonly takesMs?: number },
  ): Promise<T>;
  chooseFault(life: Life, where: string): CallFault | undefined;
  pause(life: Life, where: string): void;
}

export function createCrashPoints(
  simulation: Simulation,
  crash: (life: Life, where: string) => void,
): CrashPoints {
  let crashes = 0;
  let pauses = 0;

  function chooseFault(life: Life, where: string): CallFault | undefined {
    const { chaos, choices } = simulation;
    const { ranUntil, changedAt } = simulation;
    const isQuiet = simulation.now() > changedAt + QUIET_MS;
    if (simulation.now() > ranUntil && (isQuiet || simulation.now() > ranUntil + CALM_AFTER_MS))
      return undefined;
    const crashing = crashes < MOST_CRASHES ? chaos.crash / 2 : 0;
    const pausing = pauses < MOST_PAUSES ? chaos.pause : 0;
    const index = choices.weighted(`${life.name} ${where}`, [crashing, crashing, pausing]);
    const fault = CALL_FAULTS[index - 1];
    if (!fault) return undefined;
    if (fault === 'pause') pauses += 1;
    else crashes += 1;
    simulation.injected(fault, where.split(' ', 1)[0] as string);
    return fault;
  }

  function pause(life: Life, where: string): void {
    const seconds = simulation.choices.upTo('pause', LONGEST_PAUSE_S);
    life.pausedUntil = simulation.now() + seconds * 1000;
    simulation.trace.fault(life.name, `stands still for ${seconds} s at ${where}`);
  }

  /** Runs a call when it has its turn. Returns a promise if the call is pending. */
  function take<T>(
    step: Step,
    work: Work<T>,
    settle: Settle<T>,
    detail?: string,
  ): Promise<void> | undefined {
    const { life, what } = step;
    const fault = life && chooseFault(life, what);
    const isOver = life && fault === 'crash before';
    if (isOver) crash(life, `before ${what}`);
    const done = isOver ? undefined : attempt(work);
    if (!done && !isOver) simulation.parked.push(step);
    if (!done) return undefined;
    if (!('pending' in done)) return void finish(step, fault, done, settle, detail);
    return settled(done.pending).then((outcome) =>
      finish(step, fault, outcome, settle, describeBoth(detail, outcome)),
    );
  }

  function finish<T>(
    { life, what }: Step,
    fault: CallFault | undefined,
    done: Done<T>,
    settle: Settle<T>,
    detail?: string,
  ): void {
    simulation.trace.add(life?.name ?? 'run', what, detail ?? describe(done));
    if (life && fault === 'crash after') crash(life, `after ${what}`);
    else if (life && fault === 'pause') {
      pause(life, what);
      simulation.steps.at(life.pausedUntil, { life, what, run: () => settle(done) });
    } else settle(done);
  }

  return {
    chooseFault,
    pause,
    call(life, what, work, { detail, takesMs = 0 } = {}) {
      return new Promise((resolve, reject) => {
        const settle = (done: Done<never>) => {
          if ('error' in done) reject(done.error as Error);
          else resolve(done.result);
        };
        const step = { life, what, run: () => take(step, work as Work<never>, settle, detail) };
        if (simulation.observing) observed(work as Work<never>, settle);
        else if (life?.alive === false) return;
        else if (takesMs > 0) simulation.after(takesMs, step);
        else simulation.steps.add(step);
      });
    },
  };
}

/** While everything stands still, a call is made at once. */
function observed<T>(work: Work<T>, settle: Settle<T>): void {
  const done = attempt(work) ?? { result: undefined as T };
  if ('pending' in done) void settled(done.pending).then(settle);
  else settle(done);
}

export function settled<T>(pending: Promise<T>): Promise<Done<T>> {
  return pending.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
}

function attempt<T>(work: Work<T>): Done<T> | Outcome<T> | undefined {
  try {
    return work();
  } catch (error) {
    return { error };
  }
}

/** What a call returned, so that the comparison of two runs includes it. */
function describe(done: Done<unknown>): string | undefined {
  if ('error' in done) return String(done.error);
  return done.result === undefined ? undefined : JSON.stringify(done.result);
}

function describeBoth(detail: string | undefined, done: Done<unknown>): string {
  return [detail, describe(done)].filter((part) => part !== undefined).join(' → ');
}
