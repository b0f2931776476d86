import { simulate } from 'contentgen/simulate';
import { expect, test } from 'vitest';
import { testApplications } from './application-tests.ts';
import { simulationOf } from './applications.ts';
import { failureOf } from './counter.ts';

testApplications('mailer', 'cache');

test('a lost update is found within 20 seeds and without a fault, because callbacks arrive together', async () => {
  const options = simulationOf('cache', 'an index that is read and written back', 20);
  const { faults } = await failureOf(simulate({ ...options, chaos: {} }));
  expect(faults).toEqual([]);
});
