import { isContentGenError } from '../../src/errors.ts';
import { earliest } from '../domain/scheduler.ts';
import type { DrivenGlobals } from './globals.ts';
import { createIdling } from './idling.ts';
import { InstanceCrashedError } from './life.ts';
import { drained, nextTurn, settledOrIdle, wallPause } from './quiesce.ts';
import type { RunSetup, Stage } from './run-setup.ts';
import type { Service } from './service.ts';
import type { Simulation } from './simulation.ts';
import { RunawayError, StuckError } from './simulation-error.ts';

/** Steps after which a run is considered endless. */
const MOST_STEPS = 200_000;
/** Steps in one moment after which the application is in a loop. */
const MOST_AT_ONCE = 10_000;
/** Turns in which nothing happened, after which the run waits in wall time for what the platform's threads still do. */
const MOST_TURNS = 100;
/** Timers that are pending at once after which the application forgets to clear them. */
const MOST_TIMERS = 1_000;

const CUT_SHORT =
  'ended after twice `settleFor`, while the application was still changing something: raise settleFor if it needs longer';

/** Services whose application has calls that never end, for which one run has waited. */
const neverEnding = new WeakSet<Service>();

/**
 * Runs one step after another until none is left. Resolves to whether it waited for something outside the simulation.
 */
export async function play<App>(
  simulation: Simulation,
  { options, service, patience }: RunSetup<App>,
  stage: Stage<App>,
  globals: DrivenGlobals | undefined,
): Promise<boolean> {
  let script = 'waiting' as 'waiting' | 'running' | 'done';
  let waitedOutside = false;
  const idling = createIdling(simulation, globals);
  stage.start();

  async function runScript(): Promise<void> {
    script = 'running';
    try {
      await options.run(stage.context);
    } catch (error) {
      if (!isExpected(simulation, error)) simulation.fail(error);
      else simulation.trace.add('run', `ended by ${nameOf(error)}`);
    }
    script = 'done';
    simulation.ranUntil = simulation.now();
  }

  let moment = simulation.now();
  let atOnce = 0;
  let turns = 0;
  const happened = () => {
    atOnce = simulation.now() === moment ? atOnce + 1 : 0;
    moment = simulation.now();
    turns = 0;
  };
  for (let steps = 0; !simulation.failure; steps += 1) {
    if (atOnce > MOST_AT_ONCE) simulation.fail(new RunawayError(hotLoop(simulation)));
    if (steps > MOST_STEPS) simulation.fail(new RunawayError(endless(simulation)));
    await drained();
    if (simulation.serving.size > 0) await served(simulation, options.server?.generator);
    if (script === 'waiting' && stage.hasStarted()) {
      void runScript();
      continue;
    }
    if (options.always && !simulation.isSqlTaken)
      await observe(simulation, 'always', () => options.always?.(stage.context));
    const step = simulation.steps.take();
    if (step) {
      if (step.life?.alive === false) continue;
      happened();
      simulation.current = step.life;
      const pending = step.run();
      if (pending instanceof Promise) await settledOrIdle(pending, step.what);
      continue;
    }
    simulation.current = undefined;
    service.runDue();
    turns += 1;
    await (turns > MOST_TURNS ? wallPause(1) : nextTurn());
    if (simulation.steps.hasReady()) continue;
    if (globals?.runDue()) {
      happened();
      continue;
    }
    if (service.isBusy() || script !== 'done') simulation.quietSince = undefined;
    else simulation.quietSince ??= simulation.now();
    const timer = earliest(simulation.steps.nextAt(), globals?.nextAt());
    const next = earliest(timer, service.nextAt());
    const timers = simulation.steps.times().length + (globals?.times().length ?? 0);
    if (timers > MOST_TIMERS) simulation.fail(new RunawayError(timerLeak(simulation, timers)));
    const end = simulation.endAt;
    const stuck = script !== 'done' && timer === undefined && !service.isBusy();
    if (stuck) {
      if (await waitOutside(simulation, patience, () => script === 'done')) waitedOutside = true;
      else simulation.fail(new StuckError(stuckMessage(simulation), patience));
    } else if (next === undefined || next > end) {
      const inFlight = () => simulation.receiving.size + simulation.calls.size;
      const before = inFlight();
      if (before === 0 || neverEnding.has(service)) {
        if (next !== undefined && simulation.isCutShort) simulation.trace.add('run', CUT_SHORT);
        break;
      }
      if (await waitOutside(simulation, patience, () => inFlight() !== before))
        waitedOutside = true;
      else neverEnding.add(service);
    } else if (next > simulation.now()) {
      const isIdle = script === 'done' && simulation.receiving.size === 0;
      turns = 0;
      service.moveTo(isIdle ? idling.skipFrom(next, Math.min(end, service.nextAt() ?? end)) : next);
      globals?.follow();
    }
  }
  simulation.current = undefined;
  return waitedOutside;
}

/** How long to wait for a model of the application. A response after that waits for the simulated clock. */
const LONGEST_MODEL_MS = 200;

/** Waits until the service has responded, so that it does so at the same step in each run of a seed. */
async function served({ serving, service }: Simulation, generator: unknown): Promise<void> {
  await service.worked();
  if (generator && serving.size > 0)
    await Promise.race([Promise.allSettled(serving), wallPause(LONGEST_MODEL_MS)]);
  serving.clear();
  await drained();
}

/** Waits for something that the simulation does not control. Resolves to whether it happened. */
async function waitOutside(
  simulation: Simulation,
  patience: number,
  isDone: () => boolean,
): Promise<boolean> {
  for (let waited = 0; waited < patience; waited += 5) {
    await wallPause(5);
    if (isDone() || simulation.steps.hasReady() || simulation.steps.nextAt() !== undefined)
      return true;
  }
  return false;
}

/** Runs a check of the application while everything stands still. If it throws, the run fails. */
export async function observe(
  simulation: Simulation,
  what: string,
  check: () => unknown,
): Promise<void> {
  simulation.observing = true;
  try {
    const pending = check();
    if (pending instanceof Promise) await settledOrIdle(pending, what);
  } catch (error) {
    simulation.fail(error);
  } finally {
    simulation.observing = false;
  }
}

/** Calls that fail because of a fault end `run`, as they end a user's request. */
function isExpected(simulation: Simulation, error: unknown): boolean {
  if (error instanceof InstanceCrashedError) return true;
  return simulation.faults.size > 0 && isContentGenError(error);
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

function stuckMessage(simulation: Simulation): string {
  const pending = simulation.steps.pending().concat(simulation.parked.map(({ what }) => what));
  const waiting = pending.length > 0 ? ` Still pending: ${pending.join(', ')}.` : '';
  return `\`run\` is waiting for something that never happens.${waiting}`;
}

function endless({ steps }: Simulation): string {
  return `The run did not end within ${MOST_STEPS} steps. ${steps.times().length} timers are pending.`;
}

function hotLoop(simulation: Simulation): string {
  const { who = 'run', what = 'a step' } = simulation.trace.entries.at(-1) ?? {};
  return `The application is in a hot loop: ${MOST_AT_ONCE} steps happened without the clock moving, the last one ${what} of ${who}. Wait between two attempts.`;
}

function timerLeak(simulation: Simulation, timers: number): string {
  const { who = 'run', what = 'a step' } =
    simulation.trace.entries.findLast(({ minor }) => !minor) ?? {};
  return `The application leaks timers: ${timers} are pending at once, after ${what} of ${who}. Clear each timer when it is no longer needed.`;
}
