import type { SimulationMatchers } from 'contentgen/simulate';

// Extends Chai's interface, which is the same in every version of Vitest. The type parameters of Vitest's own interface
// have changed.
declare global {
  namespace Chai {
    interface Assertion extends SimulationMatchers {}
  }
}
