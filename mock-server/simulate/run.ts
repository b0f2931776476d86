import { ContentGen } from '../../src/client.ts';
import { isContentGenError } from '../../src/errors.ts';
import { drive } from '../../src/platform/driver.ts';
import { findProject } from '../domain/organizations.ts';
import { earliest } from '../domain/scheduler.ts';
import { planAccountEvents } from './account-events.ts';
import type { ResolvedChaos } from './chaos.ts';
import type { Choices } from './choices.ts';
import { createClock, createDriver } from './clock.ts';
import { createCrashPoints } from './crash-points.ts';
import { createReceiver } from './deliveries.ts';
import { createDisks } from './disks.ts';
import { createFaultChooser } from './fault-chooser.ts';
import { type DrivenGlobals, driveGlobals, type FakeTimers } from './globals.ts';
import { handleOfApp } from './handle-app.ts';
import { createIdling } from './idling.ts';
import { createInstances } from './instances.ts';
import { checkBilling, checkEffects, checkWaits, type InvariantOptions } from './invariants.ts';
import { InstanceCrashedError, type Life } from './life.ts';
import { Network } from './network.ts';
import type { InstanceContext, Receive, RunContext, SimulateOptions } from './options.ts';
import { drained, nextTurn, settledOrIdle, wallPause } from './quiesce.ts';
import { createRandom, STREAMS } from './random.ts';
import type { Service } from './service.ts';
import { simulatedMock } from './simulated-mock.ts';
import { createSimulation, type Simulation } from './simulation.ts';
import type { Trace } from './trace.ts';
import { watchGlobals } from './watch.ts';
import { watchProcess } from './watch-process.ts';

/** What a run is made of. */
export interface RunSetup<App> {
  readonly options: SimulateOptions<App>;
  readonly service: Service;
  readonly chaos: ResolvedChaos;
  readonly url: string;
  readonly replicas: number;
  readonly receive: (app: App) => Receive;
  readonly settleForMs: number;
  readonly patience: number;
  /** With `globals: true`. */
  readonly fakeTimers?: FakeTimers | undefined;
  /** Whether the console shows what the application writes. */
  readonly isShown: boolean;
}

/** How a run ended. */
export interface RunOutcome {
  readonly failure: { readonly error: unknown } | undefined;
  readonly trace: Trace;
  readonly choices: Choices;
  readonly faults: ReadonlyMap<string, number>;
  /** It had to wait for something that the simulation does not control. */
  readonly waitedOutside: boolean;
  /** What a watched run used that the simulation does not control. */
  readonly outside: readonly string[];
}

/** Steps after which a run is considered endless. */
const MOST_STEPS = 200_000;

/** Runs the application once, under one seed and one sequence of choices. */
export async function runOnce<App>(
  setup: RunSetup<App>,
  seed: number,
  choices: Choices,
  isWatched = false,
): Promise<RunOutcome> {
  const { options, service, chaos } = setup;
  const simulation = createSimulation(service, chaos, choices);
  const chooser = createFaultChooser(simulation);
  service.start({ seed, ...chooser, onError: (error) => simulation.fail(error) });
  drive(createDriver(simulation, seed));
  const stopWatching = watchProcess(simulation, invariantsOf(options), setup.isShown);
  const { fakeTimers } = setup;
  const globals = fakeTimers && driveGlobals(simulation, seed, fakeTimers);
  const watch = isWatched && !globals ? watchGlobals() : undefined;
  try {
    const stage = setUp(simulation, setup, seed);
    const waitedOutside = await play(simulation, setup, stage, globals);
    await checkAll(simulation, setup, stage);
    const { failure, trace, faults } = simulation;
    return { failure, trace, choices, faults, waitedOutside, outside: watch?.used ?? [] };
  } finally {
    watch?.stop();
    globals?.restore();
    stopWatching();
    // What the reset aborts must not continue in the next run.
    service.server.reset();
    await drained();
    drive(undefined);
  }
}

/** Checks what has to hold once everything has settled. */
async function checkAll<App>(
  simulation: Simulation,
  { options, url }: RunSetup<App>,
  { context }: Stage<App>,
): Promise<void> {
  const { effects, billing, waits } = invariantsOf(options);
  const checks: [what: string, check: () => unknown][] = [
    ['waits', () => waits !== false && checkWaits(simulation)],
    ['billing', () => billing !== false && checkBilling(simulation)],
    [
      'effects',
      async () => {
        if (effects === false || !options.effects) return;
        checkEffects(simulation, url, await options.effects(context));
      },
    ],
    ['check', () => options.check?.(context)],
  ];
  for (const [what, check] of checks) {
    if (!simulation.failure) await observe(simulation, what, check);
  }
}

const ALL_OFF: InvariantOptions = {
  effects: false,
  billing: false,
  rejections: false,
  waits: false,
  secrets: false,
};

function invariantsOf({
  invariants = {},
}: Pick<SimulateOptions<unknown>, 'invariants'>): InvariantOptions {
  return invariants === false ? ALL_OFF : invariants;
}

interface Stage<App> {
  readonly context: RunContext<App>;
  start(): void;
  hasStarted(): boolean;
}

/** Puts the parts together: the application's instances, its disk, and the network between them and the service. */
function setUp<App>(simulation: Simulation, setup: RunSetup<App>, seed: number): Stage<App> {
  const { options, service, url, replicas, receive } = setup;
  const random = createRandom(seed, STREAMS.application);
  const make = (life: Life) => options.app(contextOf(life));
  const instances = createInstances<App>(simulation, { replicas, make });
  const crashPoints = createCrashPoints(simulation, instances.crash);
  const network = new Network(simulation, instances, crashPoints);
  const diskOf = createDisks(simulation, crashPoints, seed);
  const keys = planAccountEvents(simulation);
  service.server.receivers.set(url, createReceiver(simulation, instances, { replicas, receive }));

  function contextOf(life: Life | undefined): InstanceContext {
    const fetch = network.fetchFor(life);
    const { baseUrl, project } = service.server;
    const apiKey = life ? keys.installed : keys.valid;
    return {
      client: new ContentGen({
        ...{ baseUrl, apiKey, fetch, logLevel: 'off' },
        deployment: options.deployment,
      }),
      mock: simulatedMock(simulation, fetch),
      get secret() {
        return findProject(service.context, project).secrets[0]?.secret ?? '';
      },
      clock: createClock(simulation, life, (what, work) => crashPoints.call(life, what, work)),
      disk: diskOf(life),
      random,
      url,
      fetch,
      replica: life?.replica ?? 0,
    };
  }

  const app = handleOfApp(simulation, instances);
  return {
    context: Object.assign(contextOf(undefined), { app }),
    start: instances.start,
    hasStarted: () => instances.any() !== undefined,
  };
}

/**
 * Runs one step after another until none is left. Resolves to whether it waited for something outside the simulation.
 */
async function play<App>(
  simulation: Simulation,
  { options, service, settleForMs, patience }: RunSetup<App>,
  stage: Stage<App>,
  globals: DrivenGlobals | undefined,
): Promise<boolean> {
  let script = 'waiting' as 'waiting' | 'running' | 'done';
  let waitedOutside = false;
  let quietSince: number | undefined;
  const idling = createIdling(simulation);
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

  for (let steps = 0; !simulation.failure; steps += 1) {
    if (steps > MOST_STEPS) simulation.fail(new Error(endless(simulation)));
    await drained();
    if (simulation.serving.size > 0) await served(simulation, options.server?.generator);
    if (script === 'waiting' && stage.hasStarted()) {
      void runScript();
      continue;
    }
    if (options.always && !simulation.inTransaction)
      await observe(simulation, 'always', () => options.always?.(stage.context));
    const step = simulation.steps.take();
    if (step) {
      if (step.life?.alive === false) continue;
      simulation.current = step.life;
      const pending = step.run();
      if (pending instanceof Promise) await settledOrIdle(pending, step.what);
      continue;
    }
    simulation.current = undefined;
    service.runDue();
    await nextTurn();
    if (simulation.steps.hasReady() || globals?.runDue()) continue;
    if (service.isBusy() || script !== 'done') quietSince = undefined;
    else quietSince ??= simulation.now();
    const timer = earliest(simulation.steps.nextAt(), globals?.nextAt());
    const next = earliest(timer, service.nextAt());
    const end = quietSince === undefined ? Infinity : quietSince + settleForMs;
    const stuck = script !== 'done' && timer === undefined && !service.isBusy();
    if (stuck) {
      if (await waitOutside(simulation, patience, () => script === 'done')) waitedOutside = true;
      else simulation.fail(new Error(stuckMessage(simulation)));
    } else if (next === undefined || next > end) break;
    else if (next > simulation.now()) {
      const isIdle =
        script === 'done' && simulation.receiving.size === 0 && globals?.nextAt() === undefined;
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
async function observe(simulation: Simulation, what: string, check: () => unknown): Promise<void> {
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

function endless(simulation: Simulation): string {
  const pending = [...new Set(simulation.steps.pending())].slice(0, 10).join(', ');
  return `The run did not end within ${MOST_STEPS} steps. Pending: ${pending}.`;
}
