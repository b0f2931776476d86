import { reportOf, timelineOf } from './timeline.ts';
import { lineOf, type Trace } from './trace.ts';

interface FailedRun {
  readonly seed: number;
  /** Its faults, such as `crash before × db.set`. */
  readonly faults: readonly string[];
  readonly trace: Trace;
  /** The hash of the trace before the run was reduced. */
  readonly traceHash: string;
}

/** A run that failed, reduced to what is needed to reproduce it. */
export class SimulationError extends Error {
  /** Always `SimulationError`. */
  override readonly name = 'SimulationError';
  /** Always `simulation_failed`. */
  readonly code = 'simulation_failed';
  /** The seed of the run that failed. */
  readonly seed: number;
  /** What happened, one line per step. */
  declare readonly timeline: string;
  /** The faults needed to reproduce it, such as `crash before × db.set`. */
  readonly faults: readonly string[];
  /** SHA-256 over every step of the full run, before it was reduced: the same wherever the seed runs. */
  readonly traceHash: string;

  constructor(run: FailedRun, cause: unknown) {
    super(messageOf(run, cause), { cause });
    this.seed = run.seed;
    this.faults = run.faults;
    this.traceHash = run.traceHash;
    // Not enumerable; otherwise, if the error is not caught, the runtime would print every step of the run.
    Object.defineProperty(this, 'timeline', { value: timelineOf(run.trace.entries) });
  }
}

function messageOf({ seed, faults, trace, traceHash }: FailedRun, cause: unknown): string {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const all = faults.join(', ') || 'none';
  return [
    `Seed ${seed} fails: ${reason}`,
    reportOf(trace.entries, reason),
    traceHash === trace.hash() && faults.length > 0
      ? `Nothing could be left out of this run. Its faults: ${all}.`
      : `Faults needed to reproduce it: ${all}.`,
    `To run only this seed, set SIMULATE_SEED=${seed}.`,
  ].join('\n\n');
}

/** An option needs a package that is not installed, or a later version of it. This has nothing to do with the seed. */
export class MissingPeerError extends TypeError {
  constructor(what: string, peer: string, cause?: unknown) {
    const [name] = peer.split(' ');
    super(`${what} needs ${peer}. Install it: npm install --save-dev ${name}@latest.`, { cause });
  }
}

/** The application runs on without an end. To repeat or reduce such a run would take too long. */
export class RunawayError extends Error {}

/** `run` waits for something that no step of the simulation can bring. */
export class StuckError extends Error {
  readonly #patience: number;

  constructor(message: string, patience: number) {
    super(message);
    this.#patience = patience;
  }

  /** Names what the application waits for, as far as it is known. */
  blame(outside: readonly string[]): void {
    if (outside.length === 0) return;
    this.message += ` The application used ${outside.join(', ')}: the simulation waits ${this.#patience} ms for what it does not control. Use the clock of the context, or raise patience.`;
  }
}

interface ComparedRun {
  readonly trace: Trace;
  readonly outside: readonly string[];
}

/** Two runs of one seed differ: part of the application depends on something outside the simulation. */
export class NondeterminismError extends Error {
  /** Always `NondeterminismError`. */
  override readonly name = 'NondeterminismError';
  /** Always `not_deterministic`. */
  readonly code = 'not_deterministic';

  /** @param isDriven - Whether `globals: true` is set already. */
  constructor(first: ComparedRun, second: ComparedRun, index: number, isDriven = false) {
    super(
      [
        `Two runs of the same seed differ at step ${index + 1}:`,
        `  first:  ${entryAt(first.trace, index)}`,
        `  second: ${entryAt(second.trace, index)}`,
        adviceFor(second, isDriven),
      ].join('\n'),
    );
  }
}

const MOST_CHARACTERS = 200;

function entryAt(trace: Trace, index: number): string {
  const entry = trace.entries[index];
  if (!entry) return 'nothing more happens';
  const line = lineOf(entry).trim();
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line;
}

function adviceFor({ outside }: ComparedRun, isDriven: boolean): string {
  const instead = isDriven ? '' : ', or pass globals: true';
  const advice = `Use the clock, random, disk, client and fetch that the simulation provides${instead}.`;
  if (outside.length === 0) {
    return `The application depends on something outside the simulation whose place is not known, such as a variable that outlives a run. ${advice}`;
  }
  return `The application used ${outside.join(', ')}. ${advice}`;
}
