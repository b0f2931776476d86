import type { SimulationMatchers } from 'contentgen/simulate';

// For the `expect` of @jest/globals, which comes from the package expect.
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends SimulationMatchers {}
}
