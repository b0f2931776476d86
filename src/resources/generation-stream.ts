import { factsOf, type WithResponse } from '../core/api-promise.ts';
import { unexpected } from '../core/caller.ts';
import { AttemptFailed } from '../core/exchange.ts';
import { type Failure, toError } from '../core/failure.ts';
import { parseJson } from '../core/parse.ts';
import type { Answer } from '../core/send.ts';
import { readEvents, type ServerEvent } from '../core/sse.ts';
import type { CompletedGeneration, Generation } from '../types.ts';
import { generationFailed } from './generation-failed.ts';

/**
 * The text of a generation as it is made. Nothing is sent before it is iterated or `final()` is called, and it can be
 * iterated once. Leaving the loop early closes the connection, which cancels the generation.
 */
export class GenerationStream implements AsyncIterable<string> {
  readonly #open: () => Promise<Answer>;
  #answer: Promise<Answer> | undefined;
  #iterated = false;
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
    if (this.#iterated)
      throw new TypeError('A stream can be iterated once: final() has the whole.');
    this.#iterated = true;
    return this.#deltas();
  }

  /** The whole generation once it is complete; reads the stream itself when nobody iterates. */
  async final(): Promise<CompletedGeneration> {
    if (!this.#iterated) for await (const _ of this);
    return this.#final;
  }

  /** Resolves with the response once its headers are in. */
  async withResponse(): Promise<WithResponse<this>> {
    return { data: this, ...factsOf(await this.#open()) };
  }

  async *#deltas(): AsyncGenerator<string, void, undefined> {
    let answer: Answer | undefined;
    let left: Failure = { code: 'aborted', hint: 'The loop was left early.' };
    try {
      answer = await this.#open();
      if (!answer.stream) throw unexpected(answer, 'is no event stream');
      for await (const event of readEvents(answer.stream)) {
        const known = read(event, answer);
        if (typeof known === 'string') yield known;
        else if (known) return this.#resolve(known);
      }
      left = { code: 'stream_interrupted', hint: 'The stream ended before its generation.' };
      throw new AttemptFailed(left);
    } catch (thrown) {
      const error =
        thrown instanceof AttemptFailed && answer ? broken(answer, thrown.failure) : thrown;
      this.#reject(error);
      throw error;
    } finally {
      if (answer) {
        this.#reject(broken(answer, left));
        answer.stream?.close();
        answer.scope.close();
      }
    }
  }
}

/** A piece of text, the whole generation at its end, or nothing that this version knows. */
function read(
  { event, data }: ServerEvent,
  answer: Answer,
): string | CompletedGeneration | undefined {
  const [, kind] = /^generation\.(delta|completed|failed|canceled)$/.exec(event) ?? [];
  if (!kind) return undefined;
  const value = parseJson(data) as (Generation & { delta?: unknown }) | undefined;
  if (kind === 'failed' || kind === 'canceled') {
    throw generationFailed({ ...value, status: kind }, answer.call);
  }
  if (kind === 'delta' && typeof value?.delta === 'string') return value.delta;
  if (kind === 'completed' && typeof value?.result === 'string')
    return value as CompletedGeneration;
  throw unexpected(answer, `has a ${event} event without its text`);
}

function broken({ call, attempts, response }: Answer, failure: Failure): Error {
  const code = failure.code === 'connection_failed' ? 'stream_interrupted' : failure.code;
  const { status } = response;
  return toError(
    { requestId: response.headers.get('x-request-id') ?? undefined, ...failure, code },
    {
      operation: call.operation,
      idempotencyKey: call.idempotencyKey,
      attempts: [...attempts, { code, status, delayMs: 0 }],
    },
  );
}
