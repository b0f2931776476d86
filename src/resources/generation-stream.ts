import { responseDetails, type WithResponse } from '../core/caller.ts';
import { ofGeneration, toError } from '../core/failure.ts';
import { AttemptFailed, toReadableStream } from '../core/read-response.ts';
import { GenerationFailedError, isContentGenError } from '../errors.ts';
import type { CompletedGeneration } from '../types.ts';
import { bodySource, type EventSource } from './event-source.ts';
import {
  createChunkReader,
  type Outcome,
  type StreamChunk,
  serializeChunk,
} from './generation-events.ts';
import { type Connections, canResume, isOver } from './resume-stream.ts';

/**
 * The text of a generation as it is generated. It can be read only once: iterated, or turned into one of the two
 * streams. When the connection breaks, the stream goes on where it was, within `maxRetries` and `deadline`. Leaving the
 * loop early, or canceling the stream, cancels a generation that `content.stream()` began, and waits for that, at most
 * 1 s; its tokens are not billed. Before the first event has been read, the service does that by itself, a minute after
 * its last reader has left, unless the generation has ended by then.
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
    return new TextStream({ reading: { text: '' }, open: async () => bodySource(body) });
  },
};

/** Creates a stream that sends its request on the first read. */
export const createStream = (connections: Connections): GenerationStream =>
  new TextStream(connections);

class TextStream implements GenerationStream {
  readonly #connections: Connections;
  readonly #final: Promise<CompletedGeneration>;
  #settle!: (outcome: Outcome) => void;
  #opening: Promise<EventSource> | undefined;
  /** The first connection, which is that of the call. */
  #first: EventSource | undefined;
  /** The connection that is being read. */
  #source: EventSource | undefined;
  #readChunk!: () => Promise<StreamChunk>;
  /** The event of the piece that the loop has in hand; others of its chunk are still to come. */
  #lastYielded: string | undefined;
  #isClaimed = false;
  #isCanceled = false;
  /** Settles when the service has canceled the generation, or has not in time. */
  #canceled: Promise<void> | undefined;
  #outcome: Outcome | undefined;

  constructor(connections: Connections) {
    this.#connections = connections;
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
    if (!this.#isClaimed) {
      this.#claim();
      while (await this.#next());
    }
    return this.#final;
  }

  async withResponse(): Promise<WithResponse<this>> {
    // Not awaited inside the object: Babel's preset for React Native then leaves a `yield` outside of a generator.
    const { result } = await this.#open();
    if (!result) throw new TypeError('A stream from fromReadableStream() has no response.');
    return { data: this, ...responseDetails(result) };
  }

  toJSON(): StreamPosition | undefined {
    const { requestId, lastEventId } = this.#connections.reading;
    if (requestId === undefined) return undefined;
    return { requestId, lastEventId: this.#lastYielded ?? lastEventId };
  }

  toReadableStream(): ReadableStream<Uint8Array> {
    // A failure of the generation is no error: the last event says so.
    return this.#toStream(
      (chunk) => chunk.unchanged ?? serializeChunk(chunk),
      (error) => error instanceof GenerationFailedError,
    );
  }

  toTextStream(): ReadableStream<Uint8Array> {
    let half = '';
    return this.#toStream(({ events, outcome }) => {
      const text = half + events.map((event) => event.text).join('');
      if (outcome) return text;
      // Half a character waits for its other half.
      half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
      return half ? text.slice(0, -1) : text;
    });
  }

  async *#pieces(onRead: () => void): AsyncGenerator<string, void, undefined> {
    // Claimed with the first read: an iterator that is never read leaves the stream to final().
    this.#claim();
    onRead();
    try {
      for (let chunk = await this.#next(); chunk; chunk = await this.#next()) {
        const { events } = chunk;
        for (const { text, event } of events) {
          if (!text) continue;
          this.#lastYielded = event.id;
          yield text;
          // A chunk can have many pieces, and its reader takes its time with each.
          if (events.length > 1) this.#source?.touch?.();
        }
        this.#lastYielded = undefined;
      }
    } finally {
      void this.#cancel();
    }
  }

  #toStream(
    contentOf: (chunk: StreamChunk) => string | Uint8Array,
    isEnd = (_: unknown) => false,
  ): ReadableStream<Uint8Array> {
    this.#claim();
    const encoder = new TextEncoder();
    const read = async () => {
      try {
        for (let chunk = await this.#next(); chunk; chunk = await this.#next()) {
          const content = contentOf(chunk);
          if (content) return typeof content === 'string' ? encoder.encode(content) : content;
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
  #claim(): void {
    this.#assertUnread();
    this.#isClaimed = true;
  }

  #open(): Promise<EventSource> {
    this.#opening ??= this.#connections.open().then((source) => {
      this.#first = source;
      this.#connect(source);
      return source;
    });
    return this.#opening;
  }

  #connect(source: EventSource): void {
    this.#source = source;
    this.#readChunk = createChunkReader(source, this.#connections.reading);
    // The end is reported even if nobody reads.
    source.onEnd?.((failure) => {
      if (source !== this.#source) return;
      // The reader goes on with another connection.
      if (this.#isClaimed && this.#connections.reopen && canResume(failure)) return;
      this.#finish({ error: source.streamError(failure) });
    });
  }

  /** The next chunk, over as many connections as it takes; `undefined` after the end. */
  async #next(): Promise<StreamChunk | undefined> {
    while (!this.#outcome) {
      try {
        if (!this.#source) await this.#open();
        const chunk = await this.#readChunk();
        // Settled before the last chunk is passed on, because the reader might leave as soon as it has it.
        if (chunk.outcome) this.#finish(chunk.outcome);
        return chunk;
      } catch (thrown) {
        await this.#resume(thrown);
      }
    }
    this.#source?.close();
    if (this.#isCanceled || this.#outcome.generation) return undefined;
    throw (this.#outcome as { error: unknown }).error;
  }

  /** Connects again after a break. Without a connection, and after anything else, the error is the end. */
  async #resume(thrown: unknown): Promise<void> {
    if (!(thrown instanceof AttemptFailed)) return this.#finish({ error: thrown });
    const { failure } = thrown;
    const isOpen = !this.#outcome && canResume(failure);
    const broken = this.#source;
    // Closed first: the next connection might wait for its place.
    this.#source = undefined;
    broken?.close();
    // The first one is the call itself, which goes on.
    if (broken !== this.#first) broken?.result?.end?.({ error: broken.streamError(failure) });
    try {
      const next = isOpen ? await this.#connections.reopen?.(failure) : undefined;
      // The error is that of the call, whichever of its connections broke.
      if (!next) throw this.#first?.streamError(failure);
      this.#connect(next);
    } catch (error) {
      this.#finish({ error });
    }
  }

  /**
   * Ends the stream before its end, whether or not anybody has begun to read it. What the caller does next finds the
   * generation canceled.
   */
  async #cancel(): Promise<void> {
    this.#isCanceled = true;
    const outcome = { error: closedEarly() };
    this.#settle(outcome);
    // A body that was received must be closed; otherwise, nothing has been sent yet.
    if (!this.#opening && this.#connections.reopen) return;
    const close = () => {
      this.#finish(outcome);
      this.#source?.close();
    };
    if (this.#first) close();
    else this.#open().then(close, () => {});
    await this.#canceled;
  }

  /** Settles `final()` and reports the end, once. */
  #finish(outcome: Outcome): void {
    if (this.#outcome) return;
    this.#outcome = outcome;
    const { requestId } = this.#connections.reading;
    // If its id has not arrived, the service cancels it a minute after its last reader has left.
    if (requestId !== undefined && isGivenUp(outcome)) {
      this.#canceled = this.#connections.cancel?.(requestId);
    }
    if ('error' in outcome) ofGeneration(outcome.error, requestId);
    this.#settle(outcome);
    const { generation: body } = outcome;
    for (const source of [this.#first, this.#source]) {
      source?.result?.end?.(body ? { body } : outcome);
    }
  }
}

/** Whether the caller ended it, by leaving, by its signal or by its deadline. */
const isGivenUp = (outcome: Outcome): boolean =>
  'error' in outcome && isContentGenError(outcome.error) && isOver(outcome.error);

const closedEarly = () =>
  toError({ code: 'aborted', hint: 'The stream was closed before it ended.' }, {});
