import type { SimulationMatchers } from 'contentgen/simulate';

// Chai's interface has the same shape in every version of Vitest; that of Vitest's own changed its type parameters.
declare global {
  namespace Chai {
    interface Assertion extends SimulationMatchers {}
  }
}
