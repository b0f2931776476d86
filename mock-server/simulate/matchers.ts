import type { SimulateOptions } from './options.ts';
import { simulate } from './simulate.ts';
import { SimulationError } from './simulation-error.ts';

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * The matchers that `expect` has once it is extended with `simulationMatchers`. For the compiler, import the types of
 * your test runner: `contentgen/simulate/vitest`, `contentgen/simulate/jest` or `contentgen/simulate/jest-globals`.
 *
 * @example
 * import type {} from 'contentgen/simulate/vitest';
 */
export interface SimulationMatchers {
  /** Whether `simulate` finds nothing wrong with these options. */
  toSurviveSimulation(): Promise<void>;
  /** Whether a fault of this kind, such as `'loseAnswer'`, was needed to make the simulation fail. */
  toTakeFault(fault: string): void;
}

/**
 * Matchers for `expect.extend(simulationMatchers)`, in Vitest and in Jest. When a simulation fails, the test shows its
 * timeline.
 *
 * @example
 * expect.extend(simulationMatchers);
 *
 * test('survives', () => expect({ app, receive, run }).toSurviveSimulation());
 */
export const simulationMatchers = {
  /** Whether `simulate` finds nothing wrong with these options. */
  async toSurviveSimulation(received: unknown): Promise<MatcherResult> {
    try {
      const { runs, faults } = await simulate(received as SimulateOptions<unknown>);
      return { pass: true, message: () => `It survived ${runs} runs with ${faults} faults.` };
    } catch (error) {
      if (!(error instanceof SimulationError)) throw error;
      return { pass: false, message: () => error.message };
    }
  },

  /** Whether a fault of this kind, such as `'loseAnswer'`, was needed to make the simulation fail. */
  toTakeFault(received: unknown, fault: string): MatcherResult {
    if (!(received instanceof SimulationError)) {
      throw new TypeError('toTakeFault expects a SimulationError.');
    }
    const { faults } = received.reproduction;
    const pass = faults.some((name) => name.startsWith(`${fault} ×`));
    const all = faults.length > 0 ? faults.join(', ') : 'none';
    return {
      pass,
      message: () =>
        `Expected the faults (${all}) ${pass ? 'not ' : ''}to include ${fault}.\n\n${received.timeline}`,
    };
  },
};
