import type { Verifier } from './verifiers.ts';

const rounds = 15;
/** Calls before the first round, in batches as long as one: a receiver in service is warm. */
const warmUp = { calls: 80_000, ms: 2500 };

/**
 * CPU µs of each, in rounds in which all take turns; what a verifier throws is part of its cost. The figure is the lower
 * quartile: a neighbour on the machine makes whole rounds slower by half, and none faster.
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
  for (const run of Object.values(candidates)) {
    const end = performance.now() + warmUp.ms;
    for (let done = 0; done < warmUp.calls && performance.now() < end; done += calls)
      await spend(run, calls);
  }
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(candidates)) {
      const start = process.cpuUsage();
      await spend(run, calls);
      const { user, system } = process.cpuUsage(start);
      const costs = found[name] ?? [];
      found[name] = costs;
      costs.push((user + system) / calls);
    }
  }
  return Object.fromEntries(Object.entries(found).map(([name, all]) => [name, lowerQuartile(all)]));
}

function lowerQuartile(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 4)] as number;
}
