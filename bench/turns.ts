/** Called before each round and not measured; returns the work, which gets the number of the call. */
type Prepare = () => (call: number) => unknown;

/**
 * CPU µs per call of each case, one figure a round. All cases take turns, so that a busy machine slows all of them.
 * Garbage counts: it is collected at the end of a turn, not in the next case's.
 */
export async function inTurns<Name extends string>(
  cases: Readonly<Record<Name, Prepare>>,
  { rounds, calls, warmUp }: { rounds: number; calls: number; warmUp: number },
): Promise<Record<Name, number[]>> {
  const { gc } = globalThis;
  if (!gc)
    throw new Error("Start node with --expose-gc. Otherwise one case pays for another's garbage.");
  const names = Object.keys(cases) as Name[];
  const costs = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    number[]
  >;
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const name of names) {
      const work = cases[name]();
      const start = process.cpuUsage();
      for (let call = 0; call < calls; call += 1) await work(call);
      await gc({ type: 'minor', execution: 'sync' });
      const { user, system } = process.cpuUsage(start);
      if (round >= 0) costs[name].push((user + system) / calls);
    }
  }
  return costs;
}

/** The value below which this share of the others lie: 0.5 is the median. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;

export const median = (values: readonly number[]): number => quantile(values, 0.5);
