import { responseFacts, type WithResponse } from '../core/api-promise.ts';
import { AttemptFailed } from '../core/attempt-io.ts';
import { unexpectedResponse } from '../core/caller.ts';
import { type Failure, toError, toGenerationError } from '../core/failure.ts';
import { parseJson, requestIdOf } from '../core/parse.ts';
import type { CallResult } from '../core/send.ts';
import { readEvents, type ServerEvent } from '../core/sse.ts';
import type { CompletedGeneration, Generation } from '../types.ts';

/**
 * The text of a generation as it is generated. It can be iterated only once. Leaving the loop early closes the
 * connection, which cancels the generation.
 */
export interface GenerationStream extends AsyncIterable<string> {
  /**
   * Yields the pieces of the text.
   * @throws GenerationFailedError if the generation fails or is canceled on the way
   */
  [Symbol.asyncIterator](): AsyncGenerator<string, void, undefined>;

  /**
   * Resolves with the completed generation. Reads the stream itself if nothing iterates it.
   * @example const { result, usage } = await client.content.stream({ prompt }).final();
   */
  final(): Promise<CompletedGeneration>;

  /** Resolves with the response as soon as its headers have arrived. */
  withResponse(): Promise<WithResponse<this>>;
}

/** A stream that opens its response with the first read. */
export function createStream(open: () => Promise<CallResult>): GenerationStream {
  return new TextStream(open);
}

class TextStream implements GenerationStream {
  readonly #send: () => Promise<CallResult>;
  #result: Promise<CallResult> | undefined;
  /** Set by the first read. */
  #final: Promise<CompletedGeneration> | undefined;

  constructor(send: () => Promise<CallResult>) {
    this.#send = send;
  }

  [Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    this.#assertUnread();
    return this.#read();
  }

  async final(): Promise<CompletedGeneration> {
    if (!this.#final) for await (const _ of this.#read());
    return this.#final as unknown as Promise<CompletedGeneration>;
  }

  async withResponse(): Promise<WithResponse<this>> {
    return { data: this, ...responseFacts(await this.#open()) };
  }

  #open(): Promise<CallResult> {
    this.#result ??= this.#send();
    return this.#result;
  }

  #assertUnread(): void {
    if (!this.#final) return;
    throw new TypeError('A stream can be iterated only once; use final() for the full text.');
  }

  async *#read(): AsyncGenerator<string, void, undefined> {
    // Checked again with the first read: an iterator that is never read leaves the stream to final().
    this.#assertUnread();
    let resolve!: (generation: CompletedGeneration) => void;
    let reject!: (reason: unknown) => void;
    this.#final = new Promise((...settle) => {
      [resolve, reject] = settle;
    });
    // The loop gets the error too, and final() might never be called.
    this.#final.catch(() => {});
    try {
      resolve(yield* readGeneration(await this.#open()));
    } catch (error) {
      reject(error);
      throw error;
    } finally {
      // Has no effect if the promise is already settled.
      reject(toError({ code: 'aborted', hint: 'The stream was closed before it ended.' }, {}));
    }
  }
}

/** Yields the pieces of the text and returns the completed generation. */
async function* readGeneration(
  result: CallResult,
): AsyncGenerator<string, CompletedGeneration, undefined> {
  try {
    if (!result.stream) throw unexpectedResponse(result, 'is not an event stream');
    for await (const event of readEvents(result.stream)) {
      const content = parseEvent(event, result);
      if (typeof content === 'string') yield content;
      else if (content) return content;
    }
    const hint = 'The stream ended before the generation did.';
    throw streamError(result, { code: 'stream_interrupted', hint });
  } catch (error) {
    throw error instanceof AttemptFailed ? streamError(result, error.failure) : error;
  } finally {
    result.stream?.close();
    result.deadline.close();
  }
}

/** A piece of the text, the completed generation, or `undefined` for an event of a later version. */
function parseEvent(
  { event, data }: ServerEvent,
  result: CallResult,
): string | CompletedGeneration | undefined {
  const [, type] = /^generation\.(delta|completed|failed|canceled)$/.exec(event) ?? [];
  if (!type) return undefined;
  const value = parseJson(data) as (Generation & { delta?: unknown }) | undefined;
  if (type === 'failed' || type === 'canceled') {
    throw toGenerationError({ ...value, status: type }, result.call);
  }
  if (type === 'delta' && typeof value?.delta === 'string') return value.delta;
  if (type === 'completed' && typeof value?.result === 'string') {
    return value as CompletedGeneration;
  }
  throw unexpectedResponse(result, `has a ${event} event without its text`);
}

function streamError({ call, attempts, response }: CallResult, failure: Failure): Error {
  const code = failure.code === 'connection_failed' ? 'stream_interrupted' : failure.code;
  const last = { code, status: response.status, delayMs: 0 };
  return toError({ requestId: requestIdOf(response), ...failure, code }, call, [...attempts, last]);
}
