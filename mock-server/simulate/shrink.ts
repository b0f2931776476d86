import { asyncProperty, check, integer, tuple } from 'fast-check';
import { deviationsOf, scriptedChoices } from './choices.ts';
import { InvariantError } from './invariants.ts';
import { type RunOutcome, runOnce } from './run.ts';
import type { RunSetup } from './run-setup.ts';

/** Choices of an order, not of a fault. */
const SCHEDULE = /^(order|slow|burst|replica)\b/;

type Deviation = readonly [label: string, value: number];

/**
 * Reduces a failing run to the fewest and smallest choices with which it still fails: first kinds of choices, then
 * single ones, then how large they are. Each is a tuple of numbers, which fast-check shrinks towards 0.
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
  // When its time is up, fast-check leaves a run behind, which must not go on during another one.
  let running: Promise<unknown> = Promise.resolve();

  const fails = async (deviations: readonly Deviation[]): Promise<boolean> => {
    await running;
    const next = runOnce(setup, seed, scriptedChoices(new Map(deviations)));
    running = next;
    const run = await next;
    // A different failure does not count: it would be reported separately.
    if (!run.failure || kindOf(run) !== kind) return false;
    smallest = run;
    return true;
  };

  const drop = (groups: readonly Deviation[][]) =>
    reduce(
      groups.map(() => 1),
      (kept) => fails(groups.flatMap((group, index) => (kept[index] ? group : []))),
      end,
    );
  // Many failures need no fault at all.
  if (await fails([])) return smallest;
  // Others need only an order of steps.
  await fails([...deviationsOf(outcome.choices.made)].filter(([label]) => SCHEDULE.test(label)));
  await drop(byKind([...deviationsOf(smallest.choices.made)]));
  // Once one choice is dropped, another might no longer be needed.
  for (let before = Infinity, now = 0; now < before; ) {
    const deviations = [...deviationsOf(smallest.choices.made)];
    before = deviations.length;
    await drop(deviations.map((deviation) => [deviation]));
    now = deviationsOf(smallest.choices.made).size;
  }
  const left = [...deviationsOf(smallest.choices.made)];
  await reduce(
    left.map(([, value]) => value),
    (values) => fails(left.map(([label], index) => [label, values[index] ?? 0])),
    end,
  );
  await running;
  return smallest;
}

/** Groups the choices by kind, because a whole kind, such as the order, often does not matter to a failure. */
function byKind(deviations: readonly Deviation[]): Deviation[][] {
  const groups = new Map<string, Deviation[]>();
  for (const deviation of deviations) {
    const kind = deviation[0].split(/[ ,]/, 1)[0] as string;
    groups.set(kind, [...(groups.get(kind) ?? []), deviation]);
  }
  return [...groups.values()];
}

/** Calls `fails` with ever smaller numbers, each at least 0, for as long as it resolves to true. */
async function reduce(
  numbers: readonly number[],
  fails: (numbers: readonly number[]) => Promise<boolean>,
  end: number,
): Promise<void> {
  const left = end - performance.now();
  if (numbers.length === 0 || left <= 0) return;
  const arbitrary = tuple(...numbers.map((max) => integer({ min: 0, max })));
  const property = asyncProperty(arbitrary, async (smaller) => !(await fails(smaller)));
  await check(property, { examples: [[[...numbers]]], numRuns: 1, interruptAfterTimeLimit: left });
}

/** The invariant and the first line of the message without what differs between runs: ids, numbers, lists. */
function kindOf({ failure }: RunOutcome): string {
  const { error } = failure ?? {};
  if (!(error instanceof Error)) return typeof error;
  const [line = ''] = error.message.split('\n', 1);
  const shape = line.replace(/\[.*?\]|\b[a-z]{3}_[0-9a-z]+|[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '#');
  return `${error.name} ${error instanceof InvariantError ? error.invariant : ''}: ${shape}`;
}
