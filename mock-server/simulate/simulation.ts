import type { Chaos, ResolvedChaos } from './chaos.ts';
import type { Choices } from './choices.ts';
import type { Life } from './life.ts';
import type { PaidRequest } from './paid-request.ts';
import type { Service } from './service.ts';
import { type Step, Steps } from './steps.ts';
import { Trace } from './trace.ts';

/** A fault in reports: its name in `chaos`; for a crash, also whether the call had its effect. */
export type InjectedFault = keyof Chaos | 'crash before' | 'crash after';

/** What all parts of one run share. */
export interface Simulation {
  readonly service: Service;
  readonly chaos: ResolvedChaos;
  readonly choices: Choices;
  readonly steps: Steps;
  readonly trace: Trace;
  /** Milliseconds since 1970 on the service's clock. */
  now(): number;
  /** The instance whose code runs now; undefined for the service and for `run`. */
  current: Life | undefined;
  /** True while `check` or `always` runs: every call then happens at once and nothing goes wrong. */
  observing: boolean;
  /** Whether an instance holds the SQL database, so that nothing else can read it. */
  inTransaction: boolean;
  /** Steps that wait for a transaction to end. */
  readonly parked: Step[];
  /** What the service is working on, possibly in another thread; nothing else happens until it is done. */
  readonly serving: Set<Promise<unknown>>;
  /** Notes work of the service, and returns it. */
  serve<T>(work: Promise<T>): Promise<T>;
  /** Continues the parked steps. */
  unpark(): void;
  /** Notes that a write changed a value, or that a request was sent that can change something. */
  changed(): void;
  /** How often that happened. */
  readonly changes: number;
  /** When it last happened. */
  readonly changedAt: number;
  /** When `run` ended; Infinity until then. */
  ranUntil: number;
  /** Paid requests by idempotency key. */
  readonly paid: Map<string, PaidRequest>;
  /** Callbacks that an instance is handling. */
  readonly receiving: Set<{ readonly what: string }>;
  /** Calls of `run` that an instance has not finished. */
  readonly calls: Set<object>;
  /** Counts a fault and writes it into the trace. */
  injected(fault: InjectedFault, where: string): void;
  readonly faults: Map<string, number>;
  /** Ends the run with this error, unless it has failed already. */
  fail(error: unknown): void;
  readonly failure: { readonly error: unknown } | undefined;
}

export function createSimulation(
  service: Service,
  chaos: ResolvedChaos,
  choices: Choices,
): Simulation {
  const now = service.clock.now;
  const trace = new Trace(now);
  const steps = new Steps(now, choices);
  const parked: Step[] = [];
  const faults = new Map<string, number>();
  const serving = new Set<Promise<unknown>>();
  let failure: Simulation['failure'];
  let changes = 0;
  let changedAt = now();
  return {
    service,
    chaos,
    choices,
    steps,
    trace,
    now,
    parked,
    faults,
    paid: new Map(),
    receiving: new Set(),
    calls: new Set(),
    current: undefined,
    serving,
    serve<T>(work: Promise<T>) {
      const noted = work.finally(() => serving.delete(noted));
      serving.add(noted);
      return noted;
    },
    observing: false,
    ranUntil: Infinity,
    inTransaction: false,
    unpark() {
      for (const step of parked.splice(0)) steps.add(step);
    },
    changed() {
      changes += 1;
      changedAt = now();
    },
    get changedAt() {
      return changedAt;
    },
    get changes() {
      return changes;
    },
    injected(fault, where) {
      const key = `${fault} × ${where}`;
      faults.set(key, (faults.get(key) ?? 0) + 1);
    },
    fail(error) {
      failure ??= { error };
    },
    get failure() {
      return failure;
    },
  };
}
