import type { Life } from './life.ts';
import type { Simulation } from './simulation.ts';

const LONGEST_RESTART_S = 10;

export interface Instance<App> {
  readonly life: Life;
  /** Undefined while it starts. */
  app: App | undefined;
}

export interface InstancesOptions<App> {
  readonly replicas: number;
  readonly make: (life: Life) => App | Promise<App>;
}

export interface Instances<App> {
  start(): void;
  /** The instance that runs now; undefined while it restarts. */
  running(replica: number): Instance<App> | undefined;
  /** A running instance, the first one if possible. */
  any(): Instance<App> | undefined;
  crash(life: Life, where: string): void;
}

export function createInstances<App>(
  simulation: Simulation,
  { replicas, make }: InstancesOptions<App>,
): Instances<App> {
  const instances: (Instance<App> | undefined)[] = new Array(replicas).fill(undefined);

  function begin(replica: number): void {
    const name = replicas === 1 ? 'app' : `app ${replica + 1}`;
    const onEnd = new Set<() => void>();
    const skew = skewOf(simulation, name);
    const life: Life = { name, replica, alive: true, pausedUntil: 0, skew, onEnd };
    const instance: Instance<App> = { life, app: undefined };
    instances[replica] = instance;
    simulation.steps.add({ life, what: `${name} starts`, run: () => void startUp(instance) });
  }

  async function startUp(instance: Instance<App>): Promise<void> {
    try {
      const made = make(instance.life);
      const app = made instanceof Promise ? await made : made;
      if (app === undefined || app === null) {
        throw new TypeError(
          `app returned ${app}. Return the application that run and receive get.`,
        );
      }
      instance.app = app;
      simulation.trace.add(instance.life.name, 'started');
    } catch (error) {
      simulation.fail(error);
    }
  }

  return {
    start() {
      for (let replica = 0; replica < replicas; replica += 1) begin(replica);
    },
    running(replica) {
      const instance = instances[replica];
      return instance?.app === undefined ? undefined : instance;
    },
    any: () => instances.find((instance) => instance?.app !== undefined),
    crash(life, where) {
      life.alive = false;
      instances[life.replica] = undefined;
      simulation.trace.fault(life.name, `CRASH ${where}`);
      for (const listener of [...life.onEnd]) listener();
      const seconds = simulation.choices.upTo('restart', LONGEST_RESTART_S);
      const run = () => begin(life.replica);
      simulation.after(seconds * 1000, { what: `${life.name} restarts`, run });
    },
  };
}

function skewOf({ chaos, choices }: Simulation, name: string): number {
  if (chaos.clockSkew === 0) return 0;
  const seconds = Math.floor(chaos.clockSkew / 1000);
  const skew = choices.among(`skew of ${name}`, 2 * seconds + 1);
  return (skew % 2 === 0 ? skew / 2 : -(skew + 1) / 2) * 1000;
}
