import type { Life } from './life.ts';
import type { Step } from './steps.ts';
import type { World } from './world.ts';

const LONGEST_PAUSE_S = 120;
/** So that every run comes to an end. */
const MOST_CRASHES = 4;
const MOST_PAUSES = 4;

const CALL_FAULTS = ['crash before', 'crash after', 'pause'] as const;
type CallFault = (typeof CALL_FAULTS)[number];

type Work<T> = () => { readonly result: T } | undefined;
type Done<T> = { readonly result: T } | { readonly error: unknown };

/** Where the calls of instances happen: each is a place where the instance crashes or stands still. */
export interface Gate {
  /**
   * Lets an instance do something at its turn. Once it has crashed, the call never settles. When `work` returns
   * undefined, it is called again after a transaction has ended.
   */
  call<T>(life: Life | undefined, what: string, work: Work<T>, detail?: string): Promise<T>;
  chooseFault(life: Life, where: string): CallFault | undefined;
  pause(life: Life, where: string): void;
}

export function createGate(world: World, crash: (life: Life, where: string) => void): Gate {
  let crashes = 0;
  let pauses = 0;

  function chooseFault(life: Life, where: string): CallFault | undefined {
    const { chaos, choices } = world;
    const crashing = crashes < MOST_CRASHES ? chaos.crash / 2 : 0;
    const pausing = pauses < MOST_PAUSES ? chaos.pause : 0;
    const index = choices.weighted(`${life.name} ${where}`, [crashing, crashing, pausing]);
    const fault = CALL_FAULTS[index - 1];
    if (!fault) return undefined;
    if (fault === 'pause') pauses += 1;
    else crashes += 1;
    world.injected(fault, where.split(' ', 1)[0] as string);
    return fault;
  }

  function pause(life: Life, where: string): void {
    const seconds = world.choices.upTo('pause', LONGEST_PAUSE_S);
    life.pausedUntil = world.now() + seconds * 1000;
    world.trace.add(life.name, `stands still for ${seconds} s at ${where}`);
  }

  /** The call has its turn. */
  function take<T>(step: Step, work: Work<T>, answer: (done: Done<T>) => void, detail?: string) {
    const { life, what } = step;
    const fault = life && chooseFault(life, what);
    if (life && fault === 'crash before') {
      crash(life, `before ${what}`);
      return;
    }
    const done = attempt(work);
    if (!done) {
      world.parked.push(step);
      return;
    }
    world.trace.add(life?.name ?? 'run', what, detail ?? describe(done));
    if (life && fault === 'crash after') crash(life, `after ${what}`);
    else if (life && fault === 'pause') {
      pause(life, what);
      world.steps.at(life.pausedUntil, { life, what, run: () => answer(done) });
    } else answer(done);
  }

  return {
    chooseFault,
    pause,
    call(life, what, work, detail) {
      return new Promise((resolve, reject) => {
        const answer = (done: Done<never>) => {
          if ('error' in done) reject(done.error as Error);
          else resolve(done.result);
        };
        const step = { life, what, run: () => take(step, work as Work<never>, answer, detail) };
        if (world.observing) answer((attempt(work) ?? { result: undefined }) as Done<never>);
        else if (life?.alive !== false) world.steps.add(step);
      });
    },
  };
}

function attempt<T>(work: Work<T>): Done<T> | undefined {
  try {
    return work();
  } catch (error) {
    return { error };
  }
}

/** What was read takes part in the comparison of two runs. */
function describe(done: Done<unknown>): string | undefined {
  if ('error' in done) return String(done.error);
  return done.result === undefined ? undefined : JSON.stringify(done.result);
}
