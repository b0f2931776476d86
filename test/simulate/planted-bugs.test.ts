import { type Chaos, SimulationError, simulate } from 'contentgen/simulate';
import { expect, test } from 'vitest';
import { correct } from '../../examples/simulation/receivers/correct.ts';
import { planted } from '../../examples/simulation/receivers/index.ts';
import { scenario } from '../../examples/simulation/scenario.ts';
import { ledger } from './ledger.ts';
import { bugs } from './ledger-parts.ts';

const seeds = Number(process.env['CONTENTGEN_SIMULATIONS'] ?? 300);

test.each(Object.entries(planted))('finds the bug of %s within 1 000 seeds', async (name, app) => {
  const replicas = name === 'memoryAcrossReplicas' ? 2 : 1;
  const options = {
    ...scenario(app, replicas),
    seeds: 1000,
    reproductions: false as const,
    shrinkMs: 20_000,
  };
  const error = await simulate(options).catch((reason: unknown) => reason);
  if (!(error instanceof SimulationError)) throw error;
  // A call of the client fails only after three attempts.
  expect(error.reproduction.faults.length).toBeLessThanOrEqual(6);
});

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

/** Everything that a ledger, an outbox and a queue have to survive. */
const chaos: Chaos = {
  ...{
    loseAnswer: 0.1,
    duplicate: 0.1,
    reorder: 0.2,
    delay: '2 minutes',
    drop: 0.02,
    unreachable: 0.02,
  },
  ...{
    crash: 0.02,
    pause: 0.005,
    clockSkew: '10 seconds',
    stall: 0.01,
    unavailable: 0.05,
    modelFails: 0.1,
  },
  ...{ rateLimited: 0.05, secretRotated: 0.2, keyRevoked: 0.1 },
};

test.each(Object.keys(bugs))('finds %s within 1 000 seeds', async (bug) => {
  const options = { ...ledger(bug), chaos, seeds: 1000, shrinkMs: 0 };
  await expect(simulate(options)).rejects.toThrow(SimulationError);
});

test('passes the shop without a bug', async () => {
  const { runs } = await simulate({ ...ledger(), chaos, seeds: Math.ceil(seeds / 3) });
  expect(runs).toBe(Math.ceil(seeds / 3));
}, 600_000);

test('finds a lost update within 20 seeds and without a fault, because callbacks arrive together', async () => {
  const options = { ...ledger('a lost update'), chaos: {}, seeds: 20, shrinkMs: 0 };
  await expect(simulate(options)).rejects.toThrow('the balance of the');
});
