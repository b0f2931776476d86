import { simulate } from 'contentgen/simulate';
import { expect, test } from 'vitest';
import { type Application, plants } from './application-parts.ts';
import { simulationOf } from './applications.ts';
import { failureOf } from './counter.ts';

const seeds = Number(process.env['CONTENTGEN_SIMULATIONS'] ?? 10);
const inCi = process.env['CI'] === 'true';
/** Outside of CI, some stand for the others. */
const sample = /before its mail|in memory/;

/** Simulates the applications, right and with each of their plants. */
export function testApplications(...names: Application[]): void {
  const found = names
    .flatMap((name) => plants[name].map((plant) => [plant, name] as const))
    .filter(([plant]) => inCi || sample.test(plant));

  test.each(found)(
    '%s in the %s is found within 200 seeds',
    async (plant, name) => {
      const { cause } = await failureOf(simulate(simulationOf(name, plant, 200)));
      expect(cause).not.toMatchObject({ code: 'not_deterministic' });
    },
    600_000,
  );

  test.each(names)(
    'without a mistake, the %s passes',
    async (name) => {
      const { runs } = await simulate(simulationOf(name, undefined, seeds));
      expect(runs).toBe(seeds);
    },
    3_600_000,
  );
}
