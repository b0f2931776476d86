import { responseDetails, type WithResponse } from '../core/caller.ts';
import { type Failure, ofGeneration, toError } from '../core/failure.ts';
import { AttemptFailed, toReadableStream } from '../core/read-response.ts';
import type { CallResult } from '../core/send.ts';
import { GenerationFailedError, isContentGenError } from '../errors.ts';
import type { CompletedGeneration } from '../types.ts';
import { bodySource } from './event-source.ts';
import {
  chunkBytes,
  createChunkReader,
  type EventSource,
  type Outcome,
  type Reading,
  type StreamChunk,
  typedError,
} from './generation-events.ts';
import { type Connections, canResume, firstSource, isOver } from './resume-stream.ts';

/**
 * The text of a generation as it is generated. It can be read only once: iterated, or turned into one of the two
 * streams. When the connection breaks, the stream goes on where it was, within `maxRetries` and `deadline`. Leaving the
 * loop early, or canceling the stream, cancels a generation that `content.stream()` began, and waits for that, at most
 * 1 s; its tokens are not billed.
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
   * Where the reader is, for `content.watch()` after a reload or in another process; `undefined` until the first event
   * has arrived.
   * @example localStorage.setItem('stream', JSON.stringify(stream));
   */
  toJSON(): StreamPosition | undefined;

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

/** Where a reader of a stream is. */
export interface StreamPosition {
  /** Identifier of the generation. */
  readonly requestId: string;
  /** The `id:` of the last event that was read; absent where the service sends none. */
  readonly lastEventId?: string | undefined;
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
    return new TextStream({ open: async () => bodySource(body) });
  },
};

/** Creates a stream that sends its request on the first read. */
export function createStream(
  connections: Connections,
  position: Omit<Reading, 'text'> = {},
): GenerationStream {
  const reading: Reading = { ...position, text: '' };
  let sent: Promise<CallResult> | undefined;
  const response = () => {
    sent ??= connections.open(reading);
    return sent;
  };
  return new TextStream({
    reading,
    response,
    open: async () => firstSource(await response()),
    isSent: () => sent !== undefined,
    reopen: async (failure) => connections.reopen(reading, failure, await response()),
    cancel: connections.cancel,
  });
}

/** What a stream reads from. */
interface Origin {
  readonly reading?: Reading;
  open(): Promise<EventSource>;
  response?(): Promise<CallResult>;
  isSent?(): boolean;
  reopen?(failure: Failure): Promise<EventSource | undefined>;
  readonly cancel?: Connections['cancel'];
}

class TextStream implements GenerationStream {
  readonly #origin: Origin;
  readonly #reading: Reading;
  readonly #final: Promise<CompletedGeneration>;
  #settle!: (outcome: Outcome) => void;
  #opening: Promise<EventSource> | undefined;
  #source: EventSource | undefined;
  /** Reports the end of the call, over all its connections. */
  #reportEnd: EventSource['end'];
  /** The event of the piece that the loop has in hand; others of its chunk are still to come. */
  #lastYielded: string | undefined;
  #isClaimed = false;
  #isCanceled = false;
  /** Settles when the service has canceled the generation, or has not in time. */
  #canceled: Promise<void> | undefined;
  #outcome: Outcome | undefined;

  constructor(origin: Origin) {
    this.#origin = origin;
    this.#reading = origin.reading ?? { text: '' };
    this.#final = new Promise((resolve, reject) => {
      this.#settle = ({ generation, ...failed }: Outcome) =>
        generation ? resolve(generation) : reject((failed as { error: unknown }).error);
    });
    // Not an unhandled rejection: the reader gets the error too, and final() might never be called.
    this.#final.catch(() => {});
  }

  [Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    this.#assertUnread();
    let isReading = false;
    const pieces = this.#pieces(() => {
      isReading = true;
    });
    const finish = pieces.return.bind(pieces);
    return Object.assign(pieces, {
      return: async () => {
        if (!isReading) return finish();
        const canceled = this.#cancel();
        // Not awaited: a generator's own `return()` would wait for a read that is pending.
        void finish();
        await canceled;
        return { done: true as const, value: undefined };
      },
    });
  }

  async final(): Promise<CompletedGeneration> {
    if (!this.#isClaimed) for await (const _ of this.#claim());
    return this.#final;
  }

  async withResponse(): Promise<WithResponse<this>> {
    // Not awaited inside the object: Babel's preset for React Native then leaves a `yield` outside of a generator.
    const { response } = this.#origin;
    if (!response) throw new TypeError('A stream from fromReadableStream() has no response.');
    const result = await response();
    // Even if nobody reads the stream, its end is reported.
    await this.#open();
    return { data: this, ...responseDetails(result) };
  }

  toJSON(): StreamPosition | undefined {
    const { requestId } = this.#reading;
    const lastEventId = this.#lastYielded ?? this.#reading.lastEventId;
    return requestId === undefined ? undefined : { requestId, lastEventId };
  }

  toReadableStream(): ReadableStream<Uint8Array> {
    // A failure of the generation is no error: the last event says so.
    return this.#toStream(chunkBytes, (error) => error instanceof GenerationFailedError);
  }

  toTextStream(): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    return this.#toStream(({ events }) => encoder.encode(events.map(({ text }) => text).join('')));
  }

  async *#pieces(onRead: () => void): AsyncGenerator<string, void, undefined> {
    // Claimed with the first read: an iterator that is never read leaves the stream to final().
    const chunks = this.#claim();
    onRead();
    for await (const { events } of chunks) {
      for (const { text, event } of events) {
        if (!text) continue;
        this.#lastYielded = event.id;
        yield text;
        // A chunk can have many pieces, and its reader takes its time with each.
        if (events.length > 1) this.#source?.touch?.();
      }
      this.#lastYielded = undefined;
    }
  }

  #toStream(
    encode: (chunk: StreamChunk) => Uint8Array,
    isEnd = (_: unknown) => false,
  ): ReadableStream<Uint8Array> {
    const chunks = this.#claim();
    const read = async () => {
      try {
        for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
          const bytes = encode(next.value);
          if (bytes.length > 0) return bytes;
        }
      } catch (error) {
        if (!isEnd(error)) throw error;
      }
      return undefined;
    };
    return toReadableStream(read, () => this.#cancel());
  }

  #assertUnread(): void {
    if (!this.#isClaimed) return;
    throw new TypeError('A stream can be read only once; use final() for the full text.');
  }

  /** Takes the stream for one reader. */
  #claim(): AsyncGenerator<StreamChunk, void, undefined> {
    this.#assertUnread();
    this.#isClaimed = true;
    return this.#read();
  }

  #open(): Promise<EventSource> {
    this.#opening ??= this.#origin.open().then((source) => {
      this.#reportEnd = source.end;
      return this.#connect(source);
    });
    return this.#opening;
  }

  #connect(source: EventSource): EventSource {
    this.#source = source;
    source.onEnd?.((failure) => {
      if (source !== this.#source) return;
      // Whoever reads goes on with another connection.
      if (this.#isClaimed && this.#origin.reopen && canResume(failure)) return;
      this.#finish({ error: source.streamError(failure) });
    });
    return source;
  }

  /**
   * Ends the stream before its end, whether or not anybody has begun to read it. What the caller does next finds the
   * generation canceled.
   */
  async #cancel(): Promise<void> {
    this.#isCanceled = true;
    const outcome = { error: closedEarly() };
    this.#settle(outcome);
    if (!(this.#origin.isSent?.() ?? true)) return;
    const close = (source: EventSource) => {
      this.#finish(outcome);
      source.close();
    };
    if (this.#source) close(this.#source);
    else this.#open().then(close, () => {});
    await this.#canceled;
  }

  /** Settles `final()` and reports the end, once. Returns the first outcome. */
  #finish(outcome: Outcome): Outcome {
    if (this.#outcome) return this.#outcome;
    const { requestId } = this.#reading;
    // If its id has not arrived, the service cancels it a minute after its last reader has left.
    if (requestId !== undefined && isGivenUp(outcome)) {
      this.#canceled = this.#origin.cancel?.(requestId);
    }
    if ('error' in outcome) ofGeneration(outcome.error, requestId);
    this.#outcome = outcome;
    this.#settle(outcome);
    const { generation: body } = outcome;
    this.#reportEnd?.(body ? { body } : outcome);
    return outcome;
  }

  /** Yields the chunks up to the one with the outcome, over as many connections as it takes. */
  async *#read(): AsyncGenerator<StreamChunk, void, undefined> {
    let source: EventSource | undefined;
    try {
      const first = await this.#open();
      source = first;
      for (;;) {
        const failure = yield* this.#readFrom(source);
        if (!failure) return;
        const next = canResume(failure) ? await this.#origin.reopen?.(failure) : undefined;
        // The error is that of the call, whichever of its connections broke.
        if (!next) throw first.streamError(failure);
        const broken = source;
        source = this.#connect(next);
        broken.close();
        if (this.#isCanceled) return;
      }
    } catch (thrown) {
      if (this.#isCanceled) return;
      const error = source ? typedError(thrown, source) : thrown;
      throw (this.#finish({ error }) as { error: unknown }).error;
    } finally {
      this.#finish({ error: closedEarly() });
      source?.close();
    }
  }

  /** Yields the chunks of one connection. Returns why it broke; nothing at the end of the generation. */
  async *#readFrom(
    source: EventSource,
  ): AsyncGenerator<StreamChunk, Failure | undefined, undefined> {
    const readChunk = createChunkReader(source, this.#reading);
    try {
      for (let bytes = await source.read(); bytes; bytes = await source.read()) {
        const chunk = readChunk(bytes);
        const { outcome } = chunk;
        // Settled before the last chunk is passed on, because the reader might leave as soon as it has it.
        if (outcome) this.#finish(outcome);
        yield chunk;
        if (outcome?.generation) return undefined;
        if (outcome) throw outcome.error;
      }
    } catch (thrown) {
      if (thrown instanceof AttemptFailed) return thrown.failure;
      throw thrown;
    }
    const hint = 'The stream ended before the generation did.';
    return { code: 'stream_interrupted', hint };
  }
}

/** Whether the caller ended it, by leaving, by its signal or by its deadline. */
const isGivenUp = (outcome: Outcome): boolean =>
  'error' in outcome && isContentGenError(outcome.error) && isOver(outcome.error);

const closedEarly = () =>
  toError({ code: 'aborted', hint: 'The stream was closed before it ended.' }, {});
