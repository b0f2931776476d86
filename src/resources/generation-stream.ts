import { factsOf, type WithResponse } from '../core/api-promise.ts';
import { kit } from '../core/kit.ts';
import { loaded } from '../core/loaded.ts';
import { once } from '../core/memoize.ts';
import type { Answer } from '../core/send.ts';
import { refuse } from '../errors.ts';
import type { CompletedGeneration } from '../types.ts';
import type { Reading } from './read-generation.ts';

/**
 * The text of a generation as it is made. Nothing is sent before it is iterated or `final()` is called, and it can be
 * iterated once. Leaving the loop early closes the connection, which cancels the generation.
 */
export class GenerationStream implements AsyncIterable<string> {
  readonly #open: () => Promise<Answer>;
  /** There once it is iterated. */
  #reading: Promise<Reading> | undefined;

  constructor(open: () => Promise<Answer>) {
    this.#open = once(open);
  }

  /** The pieces of the text. @throws GenerationFailedError when the generation fails or is canceled on the way */
  [Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    this.#refuseTwice();
    return this.#deltas();
  }

  /** The whole generation once it is complete; reads the stream itself when nobody iterates. */
  async final(): Promise<CompletedGeneration> {
    if (!this.#reading) for await (const _ of this.#deltas());
    return ((await this.#reading) as Reading).final;
  }

  /** Resolves with the response once its headers are in. */
  async withResponse(): Promise<WithResponse<this>> {
    return { data: this, ...factsOf(await this.#open()) };
  }

  #refuseTwice(): void {
    if (this.#reading) refuse('Iterate a stream once: final() has the whole.');
  }

  async *#deltas(): AsyncGenerator<string, void, undefined> {
    // Only now: an iterator that is never asked for anything leaves the stream to final().
    this.#refuseTwice();
    this.#reading = loaded(import('./read-generation.ts')).then(({ startReading }) =>
      startReading(kit, this.#open),
    );
    yield* (await this.#reading).deltas;
  }
}
