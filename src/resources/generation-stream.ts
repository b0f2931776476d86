import { factsOf, type WithResponse } from '../core/api-promise.ts';
import { type Caller, unexpected } from '../core/caller.ts';
import { AttemptFailed } from '../core/exchange.ts';
import { type Failure, toError } from '../core/failure.ts';
import { parseJson } from '../core/parse.ts';
import type { CallInput } from '../core/request.ts';
import type { Answer } from '../core/send.ts';
import { readEvents } from '../core/sse.ts';
import type { CompletedGeneration, Generation } from '../types.ts';
import { generationFailed } from './generation-failed.ts';

/**
 * The text of a generation as it is made. Nothing is sent before it is iterated or `final()` is called, and it can be
 * iterated once. Leaving the loop early closes the connection, which cancels the generation.
 */
export class GenerationStream implements AsyncIterable<string> {
  readonly #caller: Caller;
  readonly #input: CallInput;
  #answer: Promise<Answer> | undefined;
  #iterated = false;
  #final: Promise<CompletedGeneration> | undefined;
  #settle: { resolve(value: CompletedGeneration): void; reject(reason: unknown): void } | undefined;

  constructor(caller: Caller, input: CallInput) {
    this.#caller = caller;
    this.#input = input;
  }

  /** The pieces of the text. @throws GenerationFailedError when the generation fails or is canceled on the way */
  [Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    if (this.#iterated)
      throw new TypeError('A stream can be iterated once; use final() for the whole.');
    this.#iterated = true;
    return this.#deltas();
  }

  /** The whole generation once it is complete; reads the stream itself when nobody iterates. */
  final(): Promise<CompletedGeneration> {
    const final = this.#outcome();
    if (!this.#iterated) {
      const drain = async () => {
        for await (const _ of this);
      };
      drain().catch(() => {});
    }
    // A promise of its own: an unhandled failure of final() is reported as such.
    return final.then((generation) => generation);
  }

  /** Resolves with the response once its headers are in. */
  async withResponse(): Promise<WithResponse<this>> {
    return { data: this, ...factsOf(await this.#open()) };
  }

  #open(): Promise<Answer> {
    this.#answer ??= this.#caller.open(this.#input);
    return this.#answer;
  }

  #outcome(): Promise<CompletedGeneration> {
    if (!this.#final) {
      this.#final = new Promise((resolve, reject) => {
        this.#settle = { resolve, reject };
      });
      // Whoever iterates gets the error there; final() must not add an unhandled rejection.
      this.#final.catch(() => {});
    }
    return this.#final;
  }

  async *#deltas(): AsyncGenerator<string, void, undefined> {
    void this.#outcome();
    let answer: Answer | undefined;
    let settled = false;
    try {
      answer = await this.#open();
      if (!answer.stream) throw unexpected(answer, 'is no event stream');
      for await (const { event, data } of readEvents(answer.stream)) {
        if (event === 'generation.delta') {
          const delta = (parseJson(data) as { delta?: unknown } | undefined)?.delta;
          if (typeof delta !== 'string') throw unexpected(answer, 'has a delta without text');
          yield delta;
        } else if (event && outcomes.has(event)) {
          settled = true;
          this.#settle?.resolve(ended(answer, event, data));
          return;
        }
      }
      throw this.#error(answer, {
        code: 'stream_interrupted',
        hint: 'The stream ended before its generation.',
      });
    } catch (thrown) {
      const error =
        thrown instanceof AttemptFailed && answer ? this.#error(answer, thrown.failure) : thrown;
      settled = true;
      this.#settle?.reject(error);
      throw error;
    } finally {
      if (!settled && answer) {
        this.#settle?.reject(
          this.#error(answer, { code: 'aborted', hint: 'The loop was left early.' }),
        );
      }
      answer?.stream?.close();
      answer?.scope.close();
    }
  }

  #error(answer: Answer, failure: Failure): Error {
    const { call, attempts, response } = answer;
    const code = failure.code === 'connection_failed' ? 'stream_interrupted' : failure.code;
    return toError(
      { requestId: response.headers.get('x-request-id') ?? undefined, ...failure, code },
      {
        operation: 'generateContent',
        ...(call.idempotencyKey !== undefined && { idempotencyKey: call.idempotencyKey }),
        attempts: [...attempts, { code, status: response.status, delayMs: 0 }],
      },
    );
  }
}

const outcomes: ReadonlySet<string> = new Set([
  'generation.completed',
  'generation.failed',
  'generation.canceled',
]);

function ended(answer: Answer, event: string, data: string): CompletedGeneration {
  const generation = parseJson(data) as Generation | undefined;
  if (event === 'generation.completed') {
    if (typeof generation?.result !== 'string')
      throw unexpected(answer, 'completed without a result');
    return generation as CompletedGeneration;
  }
  throw generationFailed(
    { ...generation, status: event.slice('generation.'.length) },
    'generateContent',
    answer.call.idempotencyKey,
  );
}
