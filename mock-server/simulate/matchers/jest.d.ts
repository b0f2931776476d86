import type { SimulationMatchers } from 'contentgen/simulate';

// For the global `expect` of @types/jest, whose type parameters these have to be.
declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: as @types/jest declares it
    interface Matchers<R, T = {}> extends SimulationMatchers {}
  }
}
