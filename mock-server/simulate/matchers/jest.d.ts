import type { SimulationMatchers } from 'contentgen/simulate';

// For the global `expect` of @types/jest. The type parameters must be the same as there.
declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: as @types/jest declares it
    interface Matchers<R, T = {}> extends SimulationMatchers {}
  }
}
