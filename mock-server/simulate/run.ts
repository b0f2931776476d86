import { ContentGen } from '../../src/client.ts';
import { drive } from '../../src/platform/driver.ts';
import { internalsOf } from '../composition/internals.ts';
import { findProject } from '../domain/organizations.ts';
import type { Choices } from './choices.ts';
import { createClock, createDriver } from './clock.ts';
import { createCrashPoints } from './crash-points.ts';
import { createReceiver } from './deliveries.ts';
import { createDisks } from './disks.ts';
import { createExternals } from './externals.ts';
import { createFaultChooser } from './fault-chooser.ts';
import { driveGlobals } from './globals.ts';
import { handleOfApp } from './handle-app.ts';
import { createInstances } from './instances.ts';
import {
  checkBilling,
  checkEffects,
  checkWaits,
  type InvariantOptions,
  isOn,
} from './invariants.ts';
import type { Life } from './life.ts';
import { createNetwork } from './network.ts';
import type { InstanceContext } from './options.ts';
import { observe, play } from './play.ts';
import { drained } from './quiesce.ts';
import { createRandom, STREAMS } from './random.ts';
import type { RunSetup, Stage } from './run-setup.ts';
import { planRotation } from './secret-rotation.ts';
import { simulatedMock } from './simulated-mock.ts';
import { Simulation } from './simulation.ts';
import type { Trace } from './trace.ts';
import { watchGlobals } from './watch.ts';
import { watchProcess } from './watch-process.ts';

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

export async function runOnce<App>(
  setup: RunSetup<App>,
  seed: number,
  choices: Choices,
  isWatched = false,
): Promise<RunOutcome> {
  const { options, service } = setup;
  const simulation = new Simulation(service, setup, choices);
  const chooser = createFaultChooser(simulation);
  service.start({ seed, ...chooser, onError: (error) => simulation.fail(error) });
  drive(createDriver(simulation, seed));
  const stopWatching = watchProcess(simulation, options.invariants, setup.isShown);
  const { fakeTimers } = setup;
  const globals = fakeTimers && driveGlobals(simulation, seed, fakeTimers);
  const watch = isWatched ? watchGlobals(globals !== undefined) : undefined;
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

async function checkAll<App>(
  simulation: Simulation,
  { options, url }: RunSetup<App>,
  { context }: Stage<App>,
): Promise<void> {
  const checked = (name: keyof InvariantOptions) => isOn(options.invariants, name);
  const checks: [what: string, check: () => unknown][] = [
    ['waits', () => checked('waits') && checkWaits(simulation)],
    ['billing', () => checked('billing') && checkBilling(simulation)],
    [
      'effects',
      async () => {
        if (checked('effects') && options.effects)
          checkEffects(simulation, url, await options.effects(context));
      },
    ],
    ['check', () => options.check?.(context)],
  ];
  for (const [what, check] of checks) {
    if (!simulation.failure) await observe(simulation, what, check);
  }
}

function setUp<App>(simulation: Simulation, setup: RunSetup<App>, seed: number): Stage<App> {
  const { options, service, url, replicas, receive } = setup;
  const random = createRandom(seed, STREAMS.application);
  const make = (life: Life) => options.app(contextOf(life));
  const instances = createInstances<App>(simulation, { replicas, make });
  const crashPoints = createCrashPoints(simulation, instances.crash);
  const network = createNetwork(simulation, instances, crashPoints);
  const diskOf = createDisks(simulation, crashPoints, seed);
  const externalsOf = createExternals(simulation, network);
  planRotation(simulation);
  service.server.receivers.set(url, createReceiver(simulation, instances, { replicas, receive }));

  function contextOf(life: Life | undefined): InstanceContext {
    const fetch = network.fetchFor(life);
    const { baseUrl, adminKey: apiKey } = service.server;
    const { project } = internalsOf(service.server);
    return {
      client: new ContentGen({
        baseUrl,
        apiKey,
        fetch,
        logLevel: 'off',
        deployment: options.deployment,
      }),
      mock: simulatedMock(simulation, fetch),
      get secret() {
        return findProject(service.context, project).secrets[0]?.secret ?? '';
      },
      clock: createClock(simulation, life, (what, work) => crashPoints.call(life, what, work)),
      disk: diskOf(life),
      external: externalsOf(life),
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
