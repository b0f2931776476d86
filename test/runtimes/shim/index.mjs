import fc from 'fast-check';
import * as collected from './collect.mjs';
import { expect } from './expect.mjs';
import { vi } from './vi.mjs';

const { register, run, ...api } = collected;

// Everywhere the same examples, and no more than a slow runtime bears: the long search is vitest's.
const tamed = (parameters = {}) => ({
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
      assert: (property, parameters) => fc.assert(property, tamed(parameters)),
    },
  },
};
