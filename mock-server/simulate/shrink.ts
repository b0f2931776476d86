import { asyncProperty, check, integer, tuple } from 'fast-check';
import { deviationsOf, scriptedChoices } from './choices.ts';
import { type RunOutcome, type RunSetup, runOnce } from './run.ts';

/**
 * Reduces a failing run to the fewest and smallest choices with which it still fails. Each choice other than the
 * harmless one is a number, which fast-check shrinks towards 0.
 */
export async function shrink<App>(
  setup: RunSetup<App>,
  seed: number,
  outcome: RunOutcome,
  ms: number,
): Promise<RunOutcome> {
  const deviations = [...deviationsOf(outcome.choices.made)];
  if (ms <= 0 || deviations.length === 0) return outcome;
  const labels = deviations.map(([label]) => label);
  const values = deviations.map(([, value]) => value);
  const kind = kindOf(outcome);
  let smallest = outcome;

  const fails = async (chosen: readonly number[]): Promise<boolean> => {
    const script = new Map(labels.map((label, index) => [label, chosen[index] ?? 0]));
    const run = await runOnce(setup, seed, scriptedChoices(script));
    // Another failure can hide behind this one: it would be reported on its own.
    if (!run.failure || kindOf(run) !== kind) return false;
    smallest = run;
    return true;
  };
  const arbitrary = tuple(...values.map((value) => integer({ min: 0, max: value })));
  await check(
    asyncProperty(arbitrary, async (chosen) => !(await fails(chosen))),
    { examples: [[values]], numRuns: 1, interruptAfterTimeLimit: ms, endOnFailure: false },
  );
  return smallest;
}

function kindOf({ failure }: RunOutcome): string {
  const { error } = failure ?? {};
  return error instanceof Error ? error.name : typeof error;
}
