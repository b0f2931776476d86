import { SimulationError, simulate } from 'contentgen/simulate';
import { expect, test } from 'vitest';
import { correct } from '../../examples/simulation/receivers/correct.ts';
import { planted } from '../../examples/simulation/receivers/index.ts';
import { scenario } from '../../examples/simulation/scenario.ts';

const inCi = process.env['CI'] === 'true';
const seeds = Number(process.env['CONTENTGEN_SIMULATIONS'] ?? (inCi ? 300 : 20));

test.each(Object.entries(planted))(
  'finds the bug of %s within 1 000 seeds',
  async (name, app) => {
    const replicas = name === 'memoryAcrossReplicas' ? 2 : 1;
    const options = { ...scenario(app, replicas), seeds: 1000, shrinkMs: 0 };
    const error = await simulate(options).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SimulationError);
  },
  600_000,
);

test.each([
  [1, seeds],
  [2, Math.ceil(seeds / 10)],
])(
  'passes the correct receiver with %i replicas',
  async (replicas, count) => {
    const result = await simulate({ ...scenario(correct, replicas), seeds: count });
    expect(result.runs).toBe(count);
  },
  600_000,
);
