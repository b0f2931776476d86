import { SimulationError, simulate } from 'contentgen/simulate';
import { expect, test } from 'vitest';
import { chaos, ledger } from './ledger.ts';
import { lateBugs } from './ledger-parts.ts';

test.each(Object.keys(lateBugs))('finds %s in a ledger within 1 000 seeds', async (bug) => {
  const options = { ...ledger(lateBugs[bug]), chaos, seeds: 1000, shrinkMs: 0 };
  await expect(simulate(options)).rejects.toThrow(SimulationError);
});

test('passes the ledger without a bug', async () => {
  const { runs } = await simulate({ ...ledger(), chaos, seeds: 300 });
  expect(runs).toBe(300);
}, 600_000);
