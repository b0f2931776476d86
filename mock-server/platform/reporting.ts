import { GenerationFailure } from '../domain/default-generator.ts';
import type { Generator } from '../domain/ports.ts';

/** A caller hears nothing of an unexpected error, so whoever wrote the generator is told. */
export function reporting(generator: Generator, onError: (error: unknown) => void): Generator {
  return async function* generate(input, context) {
    try {
      yield* generator(input, context);
    } catch (error) {
      const expected = context.signal.aborted || error instanceof GenerationFailure;
      if (!expected) onError(error);
      throw error;
    }
  };
}

/** Whole tokens, whatever a tokenizer answers; one that fails makes the generation fail, and its author is told. */
export function countingWith(
  estimate: (text: string) => number,
  onError: (error: unknown) => void,
): (text: string) => number {
  return (text) => {
    try {
      const tokens = estimate(text);
      if (Number.isFinite(tokens) && tokens >= 0) return Math.ceil(tokens);
      throw new TypeError('estimateTokens must answer a number of at least 0.');
    } catch (error) {
      onError(error);
      throw error;
    }
  };
}
