import { afterAll, expect } from 'vitest';
import { commands } from 'vitest/browser';
import { installResponseTap } from './response-tap.mjs';

const records = [];

installResponseTap((record) => {
  records.push({ ...record, of: expect.getState().currentTestName });
});

afterAll(async () => {
  await commands.keepResponses(records.splice(0).map((record) => JSON.stringify(record)));
});
