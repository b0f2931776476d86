import { afterAll, expect } from 'vitest';
import { commands } from 'vitest/browser';
import { installWitness } from './witness.mjs';

const records = [];

installWitness((record) => {
  records.push({ ...record, of: expect.getState().currentTestName });
});

afterAll(async () => {
  await commands.keepAnswers(records.splice(0).map((record) => JSON.stringify(record)));
});
