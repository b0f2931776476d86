import type { Verifier } from './verifiers.ts';

const rounds = 20;
/** Warm-up calls before the first round, in batches as long as a round: a production receiver is warm. */
const warmUp = { calls: 80_000, ms: 2500 };

/**
 * CPU µs of each candidate, in rounds in which all take turns. Thrown errors and garbage count: each `createHmac` leaves
 * native memory, so garbage is collected at the end of a turn and not in the next candidate's. The figure is the lowest
 * decile, because other load on the machine can slow a whole round by half, but never speeds one up.
 */
export async function cpuCosts(
  candidates: Readonly<Record<string, Verifier>>,
  calls: number,
): Promise<Record<string, number>> {
  const found: Record<string, number[]> = {};
  const spend = async (run: Verifier, count: number) => {
    for (let call = 0; call < count; call++) {
      try {
        await run();
      } catch {}
    }
  };
  const { gc } = globalThis;
  if (!gc)
    throw new Error(
      "Start node with --expose-gc. Otherwise one candidate pays for another's garbage.",
    );
  for (const run of Object.values(candidates)) {
    const end = performance.now() + warmUp.ms;
    for (let done = 0; done < warmUp.calls && performance.now() < end; done += calls)
      await spend(run, calls);
  }
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(candidates)) {
      const start = process.cpuUsage();
      await spend(run, calls);
      await gc({ type: 'minor', execution: 'sync' });
      const { user, system } = process.cpuUsage(start);
      const costs = found[name] ?? [];
      found[name] = costs;
      costs.push((user + system) / calls);
    }
  }
  return Object.fromEntries(Object.entries(found).map(([name, all]) => [name, lowestDecile(all)]));
}

function lowestDecile(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 10)] as number;
}
