import type { SimulationMatchers } from 'contentgen/simulate';

// For the `expect` that @jest/globals exports, which is that of the package expect.
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends SimulationMatchers {}
}
