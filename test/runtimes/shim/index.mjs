import fc from 'fast-check';
import * as collected from './collect.mjs';
import { expect } from './expect.mjs';
import { vi } from './vi.mjs';

const { register, run, ...api } = collected;

// The same examples everywhere, and few enough for a slow runtime; the long search runs in vitest.
const withLimit = (parameters = {}) => ({
  ...parameters,
  seed: 20_260_101,
  numRuns: Math.min(parameters.numRuns ?? 100, 25),
});

/** What the bundled test files find in place of the packages that they import. */
globalThis.contentgenSuite = {
  register,
  run,
  modules: {
    vitest: { ...api, it: api.test, expect, vi },
    'fast-check': {
      ...fc,
      assert: (property, parameters) => fc.assert(property, withLimit(parameters)),
    },
  },
};
