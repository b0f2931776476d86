import type { ContentGen } from '../../src/client.ts';
import type { MockServer } from '../composition/mock-server.ts';
import type { Duration } from '../control/arguments.ts';
import type { Deployment } from '../domain/deployment.ts';
import type { Chaos } from './chaos.ts';
import type { Disk } from './disk.ts';
import type { External } from './externals.ts';
import type { InvariantOptions } from './invariants.ts';
import type { Random } from './random.ts';
import type { ServerOptions } from './service.ts';

/** The clock of an instance. It moves only when nothing else can happen. */
export interface SimulatedClock {
  /** Milliseconds since 1970. Can be passed on directly: `now: clock.now`. */
  readonly now: () => number;
  /** Waits on this clock. */
  sleep(ms: number): Promise<void>;
  /** Calls back once; returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
  /** Calls back repeatedly; returns a function that stops it. */
  every(ms: number, callback: () => void): () => void;
}

/** What `app` gets to create an instance. Only calls through these can fail or be lost in a crash. */
export interface InstanceContext {
  /** A client of the simulated service. */
  readonly client: ContentGen;
  /** The reference server of the run. Its clock moves with the run: `clock.advance` waits until it has moved. */
  readonly mock: MockServer;
  /**
   * The secret that verifies callbacks now. After a rotation it is the new one, so read it for each callback:
   * `secret: () => context.secret`.
   */
  readonly secret: string;
  /** The simulated clock. */
  readonly clock: SimulatedClock;
  /** What survives a crash of the instance. */
  readonly disk: Disk;
  /** Opens a service outside by its name, such as `mail`. What is sent there can be lost or repeated. */
  readonly external: (name: string) => External;
  /** Random numbers from the seed. */
  readonly random: Random;
  /** Where this application's receiver is called. */
  readonly url: string;
  /** Reaches only the reference server. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** The number of this instance, counted from 0. */
  readonly replica: number;
}

/**
 * What `run`, `check` and `always` get. `app` is the running instance: after a crash, the new one. A call to one of its
 * methods in `run` rejects with an `InstanceCrashedError` if the instance crashes before it responds.
 */
export interface RunContext<App> extends InstanceContext {
  /** The application under test. */
  readonly app: App;
}

/** A function that receives callbacks. */
export type Receive = (request: Request) => Response | Promise<Response>;

type Effects = Iterable<string> | Promise<Iterable<string>>;

/** Options of `simulate`. */
export interface SimulateOptions<App> {
  /**
   * How many seeds to run, starting with seed 1, or a range of them. With the variable `SIMULATE_SEED`, only that seed
   * runs. @default 200
   */
  readonly seeds?:
    | number
    | {
        /** The first seed. */
        readonly from: number;
        /** How many seeds to run. */
        readonly count: number;
      };
  /** What goes wrong, and how often. */
  readonly chaos?: Chaos;
  /** Creates an instance: at the start, and after each crash. What is on `disk` survives. */
  readonly app: (context: InstanceContext) => App | Promise<App>;
  /** The receiver of an instance. @default the instance, if it is a function */
  readonly receive?: (app: App) => Receive;
  /**
   * Uses the application as its users would. If a call fails because of a fault, `run` ends early, but the simulation
   * does not fail.
   */
  readonly run: (context: RunContext<App>) => unknown;
  /** Throws if something is wrong once everything has settled. */
  readonly check?: (context: RunContext<App>) => unknown;
  /** Throws if something is wrong after any step. */
  readonly always?: (context: RunContext<App>) => unknown;
  /** The request ids of the results that had their effect, once for each time it happened. Used by the invariants. */
  readonly effects?: (context: RunContext<App>) => Effects;
  /** What is checked in addition to `check`; `false` switches all of it off. */
  readonly invariants?: InvariantOptions | false;
  /** How many instances run at once. @default 1 */
  readonly replicas?: number;
  /** Where the receiver is called. @default 'https://app.example/webhooks' */
  readonly url?: string;
  /**
   * Puts `Date`, timers, `performance`, `Math.random` and `crypto.randomUUID` under the simulation, also where they are
   * imported by name from Node's modules, for applications that do not take `clock` and `random`. Needs the package
   * `@sinonjs/fake-timers`. @default false
   */
  readonly globals?: boolean;
  /**
   * What your deployment does differently: the reference server plays it, and the client of the context speaks to it.
   * @default the contract
   */
  readonly deployment?: Deployment;
  /** Options of the reference server, such as `quota` and `processingTime`. */
  readonly server?: ServerOptions;
  /**
   * How long the clock runs on when the service has nothing left to do, for the application's timers: at least 20
   * minutes, twice the time-out of the client. No fault happens in its second half. While the application still changes
   * something, the run goes on, for twice this time at most; the timeline then says so. @default '1 hour'
   */
  readonly settleFor?: Duration;
  /** How long to spend on reducing a failing run, in ms of wall time; 0 reports it as it was. @default 5_000 */
  readonly shrinkMs?: number;
  /** Milliseconds of wall time to wait for something outside of the simulation. @default 500 */
  readonly patience?: number;
}

/** The result of a simulation without a failure. */
export interface SimulationResult {
  /** How many runs were made. */
  readonly runs: number;
  /** How many faults were injected. */
  readonly faults: number;
  /** How long it took, ms. */
  readonly ms: number;
  /** How many times each fault hit each call, such as `crash before × db.set`. */
  readonly coverage: Readonly<Record<string, number>>;
  /**
   * What the application used from outside the simulation, such as `setTimeout (src/shop.ts:12)` or a socket, with the
   * place of the first call. No seed controls it, but it changed nothing in the runs that were compared.
   */
  readonly outside: readonly string[];
}
