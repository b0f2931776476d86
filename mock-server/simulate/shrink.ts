import { deviationsOf, scriptedChoices } from './choices.ts';
import { InvariantError } from './invariants.ts';
import { type RunOutcome, runOnce } from './run.ts';
import type { RunSetup } from './run-setup.ts';

/** Choices of an order, not of a fault. */
const SCHEDULE = /^(order|slow|burst|replica)\b/;

type Deviation = readonly [label: string, value: number];

/**
 * Reduces a failing run to the fewest choices with which it still fails: leaves out half of the choices, then smaller
 * parts of what is left.
 */
export async function shrink<App>(
  setup: RunSetup<App>,
  seed: number,
  outcome: RunOutcome,
  ms: number,
): Promise<RunOutcome> {
  const end = performance.now() + ms;
  const kind = kindOf(outcome);
  let smallest = outcome;
  const remaining = () => [...deviationsOf(smallest.choices.made)];

  const fails = async (deviations: readonly Deviation[]): Promise<boolean> => {
    if (performance.now() >= end) return false;
    const run = await runOnce(setup, seed, scriptedChoices(new Map(deviations)));
    // A different failure does not count: it would be reported separately.
    if (!run.failure || kindOf(run) !== kind) return false;
    smallest = run;
    return true;
  };

  // Many failures need no fault at all.
  if (await fails([])) return smallest;
  // Others need only an order of steps.
  await fails(remaining().filter(([label]) => SCHEDULE.test(label)));
  // Once one choice is left out, another might no longer be needed.
  for (let before = Infinity, left = remaining(); left.length < before; left = remaining()) {
    before = left.length;
    await leaveOut(left, fails);
  }
  return smallest;
}

async function leaveOut<Part>(
  parts: readonly Part[],
  fails: (parts: readonly Part[]) => Promise<boolean>,
): Promise<void> {
  let kept = parts;
  for (
    let size = Math.ceil(parts.length / 2);
    size > 0;
    size = size > 1 ? Math.ceil(size / 2) : 0
  ) {
    for (let start = kept.length - size; start > -size; start -= size) {
      const others = [...kept.slice(0, Math.max(0, start)), ...kept.slice(start + size)];
      if (await fails(others)) kept = others;
    }
  }
}

/** The invariant and the first line of the message without what differs between runs: ids, numbers, lists. */
function kindOf({ failure }: RunOutcome): string {
  const { error } = failure ?? {};
  if (!(error instanceof Error)) return typeof error;
  const [line = ''] = error.message.split('\n', 1);
  const shape = line.replace(
    /\[[^[\]]*\]|\b[a-z]{3}_[0-9a-z]+|[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g,
    '#',
  );
  return `${error.name} ${error instanceof InvariantError ? error.invariant : ''}: ${shape}`;
}
