import type { Deployment, DeploymentJson } from '../../deployment-port.ts';
import type { ConformanceReceiver } from './receiver.ts';

/** What a clause found out. */
export type ConformanceVerdict =
  | 'passed'
  | 'failed'
  | 'differs'
  | 'absent'
  | 'not_observable'
  | 'harness_error';

/** What a clause needs besides a key. */
export type ConformanceNeed = 'admin' | 'receiver' | 'spend' | 'write';

/** What one clause found. */
export interface ConformanceFinding {
  /**
   * `failed`: a sentence of the specification is broken and no option adapts to it. `differs`: something that the
   * specification leaves open, or that a line of the deployment file adapts. `absent`: an addition of the contract that
   * this service does not have. `not_observable`: what would be needed is in `seen`. `harness_error`: a fault of this
   * suite.
   */
  readonly verdict: ConformanceVerdict;
  /** What was seen, or what would be needed to see it. */
  readonly seen: string;
  /** The lines of the deployment file that adapt to it; without any, no option does. */
  readonly adapt?: DeploymentJson;
  /** The request and the response that show it, without secrets. */
  readonly exchange?: string;
}

/** One rule with its source. */
export interface ConformanceClause {
  /** Stable: `credentials.missing`. */
  readonly id: string;
  /** The section of the specification that gives the rule, such as `given 2.2`; or `ours`, a decision of the contract. */
  readonly source: string;
  /** The rule, as a sentence. */
  readonly rule: string;
  /** What it needs. Without that it is `not_observable`. */
  readonly needs: readonly ConformanceNeed[];
  /** The clauses that must hold before this one can be judged. */
  readonly after: readonly string[];
  /**
   * Judges the service, once; the clauses of `after` run first. Can be passed to any test runner: a clause that cannot
   * be judged is skipped through the `skip` of the runner's context, if it has one.
   *
   * @throws ConformanceError when the verdict is `failed` or `harness_error`
   */
  run(context?: unknown): Promise<ConformanceFinding>;
}

/** The finding of one clause. */
export interface ConformanceResult
  extends Pick<ConformanceClause, 'id' | 'source' | 'rule'>,
    ConformanceFinding {}

/** Options of {@link conformanceClauses}. */
export interface ConformanceOptions {
  /** Base URL of the service, with or without `/v2`. */
  readonly url: string;
  /** A key of the service. Some clauses need an administrator's. */
  readonly apiKey: string;
  /** Signs result callbacks. @default read from the service, where it can be */
  readonly secret?: string;
  /** Receives callbacks, see {@link createConformanceReceiver}. Without it, what needs one is `not_observable`. */
  readonly receiver?: ConformanceReceiver;
  /** Whether keys and registrations can be made. They are removed at the end. @default false */
  readonly allowWrites?: boolean;
  /** How many tokens the generations can use; 0 for no generation. @default 1_000 */
  readonly spend?: number;
  /** What is known about the service, tried before anything else. Verdicts stay relative to the contract. @default none */
  readonly deployment?: Deployment;
  /** Sends the requests. @default the platform's */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Time limit of one request, ms. @default 5_000 */
  readonly timeoutMs?: number;
  /** Time limit of everything, ms; then the other clauses are `not_observable`. @default 20_000 */
  readonly deadlineMs?: number;
  /** How long a callback is waited for, ms. @default 8_000 */
  readonly patienceMs?: number;
  /** Stops the run: nothing more is sent, except to remove what was made. */
  readonly signal?: AbortSignal;
  /**
   * Called with what the run made and has not removed yet, newest first, each time that changes: also before a creation
   * is sent. It is what a run that is killed leaves behind.
   */
  readonly onLeft?: (left: readonly string[]) => void;
  /** For tests: the time in ms, and a wait. @default the platform's */
  readonly clock?: {
    /** Milliseconds since 1970. */
    now(): number;
    /** Resolves after so many ms. */
    sleep(ms: number): Promise<unknown>;
  };
}
