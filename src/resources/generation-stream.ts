import { responseDetails, type WithResponse } from '../core/caller.ts';
import { toError } from '../core/failure.ts';
import { toReadableStream } from '../core/read-response.ts';
import type { CallResult } from '../core/send.ts';
import { GenerationFailedError } from '../errors.ts';
import type { CompletedGeneration } from '../types.ts';
import { bodySource, responseSource } from './event-source.ts';
import {
  createChunkReader,
  type EventSource,
  type Outcome,
  type StreamChunk,
  typedError,
} from './generation-events.ts';

/**
 * The text of a generation as it is generated. It can be read only once: iterated, or turned into one of the two
 * streams. Leaving the loop early, or canceling the stream, closes the connection, which cancels the generation.
 */
export interface GenerationStream extends AsyncIterable<string> {
  /**
   * Yields the pieces of the text.
   * @throws GenerationFailedError if the generation fails or is canceled on the way
   */
  [Symbol.asyncIterator](): AsyncGenerator<string, void, undefined>;

  /**
   * Resolves with the completed generation. Reads the stream itself if nothing else does; otherwise it resolves when the
   * reader gets to the end.
   * @example const { result, usage } = await client.content.stream({ prompt }).final();
   */
  final(): Promise<CompletedGeneration>;

  /**
   * Resolves with the response as soon as its headers have arrived. Rejects with a `TypeError` for a stream from
   * `fromReadableStream`.
   */
  withResponse(): Promise<WithResponse<this>>;

  /**
   * The server-sent events as they arrive, for a response of type `text/event-stream`. The other end reads them with
   * `GenerationStream.fromReadableStream()`. If the generation fails, the last event says so; the stream does not
   * error.
   * @example
   * ```ts
   * import { ContentGen } from 'contentgen';
   *
   * const stream = new ContentGen().content.stream({ prompt: 'A haiku about TCP' });
   * await stream.withResponse(); // throws before the response begins
   * new Response(stream.toReadableStream(), { headers: { 'content-type': 'text/event-stream' } });
   * ```
   */
  toReadableStream(): ReadableStream<Uint8Array>;

  /**
   * The text in UTF-8, for a response of type `text/plain`. If the generation fails, the stream errors.
   * @example new Response(client.content.stream({ prompt }).toTextStream());
   */
  toTextStream(): ReadableStream<Uint8Array>;
}

/** Creates streams that were received from elsewhere. */
export const GenerationStream: {
  /**
   * Reads the events of `toReadableStream()`, typically from your own server, in a page.
   * @throws TypeError if there is no body
   * @example
   * ```ts
   * import { GenerationStream } from 'contentgen';
   *
   * const response = await fetch('/api/generate', { method: 'POST', body: 'A haiku about TCP' });
   * for await (const text of GenerationStream.fromReadableStream(response.body)) console.log(text);
   * ```
   */
  fromReadableStream(body: ReadableStream<Uint8Array> | null): GenerationStream;
} = {
  fromReadableStream(body) {
    if (typeof body?.getReader !== 'function') {
      throw new TypeError('body must be a ReadableStream. Pass the body of a response.');
    }
    const fail = () => new TypeError('A stream from fromReadableStream() has no response.');
    return new TextStream(
      async () => bodySource(body),
      () => Promise.reject(fail()),
    );
  },
};

/** Creates a stream that sends its request on the first read. */
export function createStream(send: () => Promise<CallResult>): GenerationStream {
  let sent: Promise<CallResult> | undefined;
  const response = () => {
    sent ??= send();
    return sent;
  };
  return new TextStream(async () => responseSource(await response()), response);
}

class TextStream implements GenerationStream {
  readonly #open: () => Promise<EventSource>;
  readonly #response: () => Promise<CallResult>;
  #source: EventSource | undefined;
  #isCanceled = false;
  /** Set by the first read. */
  #final: Promise<CompletedGeneration> | undefined;

  constructor(open: () => Promise<EventSource>, response: () => Promise<CallResult>) {
    this.#open = open;
    this.#response = response;
  }

  [Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    this.#assertUnread();
    return this.#pieces();
  }

  async final(): Promise<CompletedGeneration> {
    if (!this.#final) for await (const _ of this.#read(this.#claim()));
    return this.#final as unknown as Promise<CompletedGeneration>;
  }

  async withResponse(): Promise<WithResponse<this>> {
    // Not awaited inside the object: Babel's preset for React Native then leaves a `yield` outside of a generator.
    const result = await this.#response();
    return { data: this, ...responseDetails(result) };
  }

  toReadableStream(): ReadableStream<Uint8Array> {
    return this.#toStream(eventBytes(this.#read(this.#claim())));
  }

  toTextStream(): ReadableStream<Uint8Array> {
    return this.#toStream(textBytes(this.#read(this.#claim())));
  }

  async *#pieces(): AsyncGenerator<string, void, undefined> {
    // Claimed with the first read: an iterator that is never read leaves the stream to final().
    for await (const { pieces } of this.#read(this.#claim())) {
      for (const piece of pieces) yield piece;
    }
  }

  #toStream(bytes: Bytes): ReadableStream<Uint8Array> {
    const read = async () => (await bytes.next()).value ?? undefined;
    return toReadableStream(read, async () => {
      this.#isCanceled = true;
      // Otherwise a read that waits for bytes would hold up `return()`.
      this.#source?.close();
      await bytes.return();
    });
  }

  #assertUnread(): void {
    if (!this.#final) return;
    throw new TypeError('A stream can be read only once; use final() for the full text.');
  }

  /** Takes the stream for one reader, who settles `final()`. */
  #claim(): Settle {
    this.#assertUnread();
    let settle!: Settle;
    this.#final = new Promise((resolve, reject) => {
      settle = { resolve, reject };
    });
    // Not an unhandled rejection: the reader gets the error too, and final() might never be called.
    this.#final.catch(() => {});
    return settle;
  }

  /** Yields the chunks up to the one with the outcome. */
  async *#read(settle: Settle): AsyncGenerator<StreamChunk, void, undefined> {
    let source: EventSource | undefined;
    let isOver = false;
    const finish = (outcome: Outcome) => {
      if (isOver) return;
      isOver = true;
      const { generation: body } = outcome;
      if (body) settle.resolve(body);
      else settle.reject(outcome.error);
      source?.end?.(body ? { body } : outcome);
    };
    try {
      source = await this.#open();
      this.#source = source;
      if (this.#isCanceled) source.close();
      const readChunk = createChunkReader(source);
      for (let bytes = await source.read(); bytes; bytes = await source.read()) {
        const chunk = readChunk(bytes);
        const { outcome } = chunk;
        // Settled before the last chunk is passed on, because the reader might leave as soon as it has it.
        if (outcome) finish(outcome);
        yield chunk;
        if (outcome?.generation) return;
        if (outcome) throw outcome.error;
      }
      const hint = 'The stream ended before the generation did.';
      throw source.streamError({ code: 'stream_interrupted', hint });
    } catch (thrown) {
      const error = source ? typedError(thrown, source) : thrown;
      finish({ error });
      throw error;
    } finally {
      source?.close();
      const hint = 'The stream was closed before it ended.';
      if (!isOver) finish({ error: toError({ code: 'aborted', hint }, {}) });
    }
  }
}

type Chunks = AsyncIterable<StreamChunk>;
type Bytes = AsyncGenerator<Uint8Array, void, undefined>;

/** The events as they came. A failure of the generation is no error: the last event says so. */
async function* eventBytes(chunks: Chunks): Bytes {
  try {
    for await (const { bytes } of chunks) yield bytes;
  } catch (error) {
    if (!(error instanceof GenerationFailedError)) throw error;
  }
}

/** The text in UTF-8. */
async function* textBytes(chunks: Chunks): Bytes {
  const encoder = new TextEncoder();
  for await (const { pieces } of chunks) {
    const text = pieces.join('');
    if (text) yield encoder.encode(text);
  }
}

/** Settles the promise of `final()`. */
interface Settle {
  resolve(generation: CompletedGeneration): void;
  reject(reason: unknown): void;
}
