import type { RunOutcome } from './run.ts';
import { lineOf, type Trace } from './trace.ts';

/** Two runs of one seed differ: part of the application depends on something outside the simulation. */
export class NondeterminismError extends Error {
  /** Always `NondeterminismError`. */
  override readonly name = 'NondeterminismError';
  /** Always `not_deterministic`. */
  readonly code = 'not_deterministic';

  constructor(first: RunOutcome, second: RunOutcome, index: number) {
    super(
      [
        `Two runs of the same seed differ at step ${index + 1}:`,
        `  first:  ${entryAt(first.trace, index)}`,
        `  second: ${entryAt(second.trace, index)}`,
        adviceFor(second),
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

function adviceFor({ outside }: RunOutcome): string {
  const advice =
    'Use the clock, random, disk, client and fetch that the simulation provides, or pass globals: true.';
  if (outside.length === 0) {
    return `The application depends on something outside the simulation, such as I/O. ${advice}`;
  }
  return `The application used ${outside.join(', ')}. ${advice}`;
}
