import fc from 'fast-check';

/** `CONTENTGEN_FUZZ=100` multiplies the runs by 100 and draws a new seed, which is printed on failure. */
const factor = Number(process.env['CONTENTGEN_FUZZ'] ?? 0);

const parameters = (runs: number) =>
  factor > 0 ? { numRuns: runs * factor } : { numRuns: runs, seed: 1 };

/** Checks a property `runs` times, with a fixed seed unless `CONTENTGEN_FUZZ` is set. */
export function check<Values>(property: fc.IAsyncProperty<Values>, runs = 100): Promise<void> {
  return fc.assert(property, parameters(runs));
}

/** Timeout of a property test, in milliseconds. */
export const patience = factor > 0 ? 3_600_000 : 120_000;
