import type { ProblemCode } from '../contract.ts';
import type { Context } from './context.ts';
import type { Hold } from './holds.ts';
import type { Run } from './job-runner.ts';
import type { Generator, GeneratorInput } from './ports.ts';

/** A test failed the generation that it held. */
export class HeldFailure extends Error {
  override readonly name = 'HeldFailure';
  readonly code: ProblemCode;

  constructor(code: ProblemCode = 'generation_failed', message = 'A test failed this generation.') {
    super(message);
    this.code = code;
  }
}

/**
 * A generator whose pieces are what the test emits. A release ends the text; without any text so far, the usual
 * generator makes it. The clock does not wait for a generation that stands still.
 */
export function heldGenerator({ ports }: Context, hold: Hold, run: Run): Generator {
  async function* generate(input: GeneratorInput, { signal }: { signal: AbortSignal }) {
    hold.begin();
    for (let hasText = false; ; hasText = true) {
      const step = await hold.next(signal, run.startWaiting());
      if (step.kind === 'fail') throw new HeldFailure(step.error.code, step.error.message);
      if (step.kind === 'release')
        return hasText ? undefined : yield* ports.generate(input, { signal });
      yield step.text;
    }
  }
  return generate as Generator;
}
