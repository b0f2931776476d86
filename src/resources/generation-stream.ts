import { factsOf, type WithResponse } from '../core/api-promise.ts';
import { kit } from '../core/kit.ts';
import { loaded } from '../core/loaded.ts';
import type { Answer } from '../core/send.ts';
import { AbortedError } from '../errors.ts';
import type { CompletedGeneration } from '../types.ts';

/**
 * The text of a generation as it is made. Nothing is sent before it is iterated or `final()` is called, and it can be
 * iterated once. Leaving the loop early closes the connection, which cancels the generation.
 */
export class GenerationStream implements AsyncIterable<string> {
  readonly #open: () => Promise<Answer>;
  #answer: Promise<Answer> | undefined;
  #started = false;
  #resolve!: (generation: CompletedGeneration) => void;
  #reject!: (reason: unknown) => void;
  readonly #final = new Promise<CompletedGeneration>((resolve, reject) => {
    this.#resolve = resolve;
    this.#reject = reject;
  });

  constructor(open: () => Promise<Answer>) {
    this.#open = () => {
      this.#answer ??= open();
      return this.#answer;
    };
    // Whoever iterates gets the error there: nobody need ask for final().
    this.#final.catch(() => {});
  }

  /** The pieces of the text. @throws GenerationFailedError when the generation fails or is canceled on the way */
  [Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    this.#refuseTwice();
    return this.#deltas();
  }

  /** The whole generation once it is complete; reads the stream itself when nobody iterates. */
  async final(): Promise<CompletedGeneration> {
    if (!this.#started) for await (const _ of this.#deltas());
    return this.#final;
  }

  /** Resolves with the response once its headers are in. */
  async withResponse(): Promise<WithResponse<this>> {
    return { data: this, ...factsOf(await this.#open()) };
  }

  #refuseTwice(): void {
    if (this.#started) throw new TypeError('A stream can be iterated once: final() has the whole.');
  }

  async *#deltas(): AsyncGenerator<string, void, undefined> {
    // Only now: an iterator that is never asked for anything leaves the stream to final().
    this.#refuseTwice();
    this.#started = true;
    try {
      const { readGeneration } = await loaded(import('./read-generation.ts'));
      this.#resolve(yield* readGeneration(kit, this.#open));
    } catch (error) {
      this.#reject(error);
      throw error;
    } finally {
      // No effect on what is settled already.
      this.#reject(new AbortedError('The stream was left before its end.', { code: 'aborted' }));
    }
  }
}
