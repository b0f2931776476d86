import { responseDetails, type WithResponse } from '../core/caller.ts';
import { toReadableStream } from '../core/read-response.ts';
import { GenerationFailedError } from '../errors.ts';
import type { CompletedGeneration } from '../types.ts';
import { bodySource } from './event-source.ts';
import { type StreamChunk, serializeChunk } from './generation-events.ts';
import { createReader } from './generation-reader.ts';
import type { Connections } from './resume-stream.ts';

/**
 * The text of a generation as it is generated. It can be read only once: iterated, or turned into one of the two
 * streams. When the connection breaks, the stream goes on where it was, within `maxRetries` and `deadline`. Leaving the
 * loop early, or canceling the stream, cancels a generation that `content.stream()` began, and waits for that, at most
 * 1 s; its tokens are not billed. Before the first event has been read, the service does that by itself, a minute after
 * its last reader has left, unless the generation has ended by then.
 */
export interface GenerationStream extends AsyncIterable<string> {
  /** Yields the pieces of the text. @throws GenerationFailedError if the generation fails or is canceled on the way */
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
  withResponse(): Promise<WithResponse<GenerationStream>>;

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
    return createStream({ reading: { text: '' }, open: async () => bodySource(body) });
  },
};

// Closures, not private members: a stream in reactive state is used through a proxy, which those reject.

/** Creates a stream that sends its request on the first read. */
export function createStream(connections: Connections): GenerationStream {
  const reader = createReader(connections);
  /** The event of the piece that the loop has in hand; others of its chunk are still to come. */
  let lastYielded: string | undefined;

  async function* pieces(onRead: () => void): AsyncGenerator<string, void, undefined> {
    // Claimed with the first read: an iterator that is never read leaves the stream to final().
    reader.claim();
    onRead();
    try {
      for (let chunk = await reader.next(); chunk; chunk = await reader.next()) {
        const { events } = chunk;
        for (const { text, event } of events) {
          if (!text) continue;
          lastYielded = event.id;
          yield text;
          // A chunk can have many pieces, and its reader takes its time with each.
          if (events.length > 1) reader.touch();
        }
        lastYielded = undefined;
      }
    } finally {
      void reader.cancel();
    }
  }

  function toStream(
    textOf: (chunk: StreamChunk) => string,
    isEnd = (_: unknown) => false,
  ): ReadableStream<Uint8Array> {
    reader.claim();
    const encoder = new TextEncoder();
    const read = async () => {
      try {
        for (let chunk = await reader.next(); chunk; chunk = await reader.next()) {
          const text = textOf(chunk);
          if (text) return encoder.encode(text);
        }
      } catch (error) {
        if (!isEnd(error)) throw error;
      }
      return undefined;
    };
    return toReadableStream(read, reader.cancel);
  }

  const stream: GenerationStream = {
    [Symbol.asyncIterator]() {
      reader.assertUnread();
      let isReading = false;
      const iterator = pieces(() => {
        isReading = true;
      });
      const finish = iterator.return.bind(iterator);
      return Object.assign(iterator, {
        return: async () => {
          if (!isReading) return finish();
          const canceled = reader.cancel();
          // Not awaited: a generator's own `return()` would wait for a read that is pending.
          void finish();
          await canceled;
          return { done: true as const, value: undefined };
        },
      });
    },
    async final() {
      if (!reader.isClaimed) {
        reader.claim();
        while (await reader.next());
      }
      return reader.ended;
    },
    async withResponse() {
      // Not awaited inside the object: Babel's preset for React Native then leaves a `yield` outside of a generator.
      const { result } = await reader.open();
      if (!result) throw new TypeError('A stream from fromReadableStream() has no response.');
      return { data: stream, ...responseDetails(result) };
    },
    toJSON() {
      const { requestId, lastEventId } = connections.reading;
      if (requestId === undefined) return undefined;
      return { requestId, lastEventId: lastYielded ?? lastEventId };
    },
    // A failure of the generation is no error: the last event says so.
    toReadableStream: () =>
      toStream(serializeChunk, (error) => error instanceof GenerationFailedError),
    toTextStream() {
      let half = '';
      return toStream(({ events, outcome }) => {
        const text = half + events.map((event) => event.text).join('');
        if (outcome) return text;
        // Half a character waits for its other half.
        half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
        return half ? text.slice(0, -1) : text;
      });
    },
  };
  return stream;
}
