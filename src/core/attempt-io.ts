import type { ResolvedOptions } from '../options.ts';
import { createIdleTimer, Deadline, startTimer } from './deadline.ts';
import type { Failure } from './failure.ts';

/** `true` on a response of `contentgen/node` while its whole body is in memory: `text()` needs no waiting. */
export const complete: unique symbol = Symbol.for('contentgen.complete');

/** Thrown to leave an attempt or its stream. Callers never see it: `toError` turns the failure into the error they see. */
export class AttemptFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.code);
    this.failure = failure;
  }
}

/** A response body, read under the limits of its call. */
export interface ByteStream {
  /** The next chunk, `undefined` at the end; throws `AttemptFailed`. */
  read(): Promise<Uint8Array | undefined>;
  /** Closes the connection if bytes are left. */
  close(): void;
}

/**
 * The network side of one attempt. When the call or the attempt's own timeout ends, everything awaited here settles at once,
 * even if `fetch` ignores its signal.
 */
export class AttemptIo {
  readonly #limit: Deadline;
  readonly #idleTimeout: number;
  readonly #maxBytes: number;
  readonly #interrupted: Promise<never>;
  readonly #stopListening: () => void;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(
    call: Deadline,
    timeout: number,
    options: Pick<ResolvedOptions, 'idleTimeout' | 'maxResponseBytes'>,
  ) {
    const limit = new Deadline(timeout, 'attempt_timeout');
    this.#limit = limit;
    this.#idleTimeout = options.idleTimeout;
    this.#maxBytes = options.maxResponseBytes;
    this.#interrupted = new Promise((_, reject) => {
      limit.onEnd(() => {
        if (limit.failure) reject(new AttemptFailed(limit.failure));
        discard(this.#reader);
      });
    });
    this.#interrupted.catch(ignore);
    this.#stopListening = call.onEnd(() => {
      if (call.failure) limit.end(call.failure);
    });
  }

  /** For `fetch`: aborted when the attempt ends early. */
  get signal(): AbortSignal {
    return this.#limit.signal;
  }

  /** Why the attempt ended early. */
  get failure(): Failure | undefined {
    return this.#limit.failure;
  }

  /** Settles with the promise, or rejects as soon as the attempt ends early. */
  race<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.#interrupted]);
  }

  /** Ends the attempt. If it has already ended, the first failure is the one thrown. */
  fail(failure: Failure): never {
    this.#limit.end(failure);
    throw new AttemptFailed(this.failure ?? failure);
  }

  /** Reads the whole body as text. Fails with `response_too_large` instead of reading more than `maxResponseBytes`. */
  async text(response: Response): Promise<string> {
    // A complete body needs no waiting, so no time limit applies.
    const isComplete = (response as { [complete]?: boolean })[complete];
    const body = isComplete ? undefined : response.body;
    if (!body?.getReader) {
      const text = await (isComplete ? response.text() : this.#textOf(response));
      this.#assertSize(text.length, response);
      return text;
    }
    const reader = this.#open(body);
    const idle = this.#createIdleTimer();
    const chunks: Uint8Array[] = [];
    let size = 0;
    try {
      idle.restart();
      for (let bytes = await this.#next(reader); bytes; bytes = await this.#next(reader)) {
        idle.restart();
        size += bytes.byteLength;
        this.#assertSize(size, response);
        chunks.push(bytes);
      }
    } finally {
      idle.cancel();
    }
    return new TextDecoder().decode(join(chunks, size));
  }

  /**
   * Reads the body chunk by chunk. The timeout no longer applies, but the deadline of the call still does. A stream
   * that nobody starts to read ends after `idleTimeout`, or it would hold its connection for ever.
   */
  stream(body: ReadableStream<Uint8Array>): ByteStream {
    this.#limit.close();
    const reader = this.#open(body);
    const hint = 'Nobody started to read the stream within `idleTimeout`.';
    const cancelUnread = startTimer(this.#idleTimeout, () => {
      this.#limit.end({ code: 'idle_timeout', hint });
      this.close();
    });
    const idle = this.#createIdleTimer();
    return {
      read: async () => {
        cancelUnread();
        idle.restart();
        try {
          return await this.#next(reader);
        } finally {
          idle.pause();
        }
      },
      close: () => {
        cancelUnread();
        idle.cancel();
        this.#limit.end({ code: 'aborted' });
        this.close();
      },
    };
  }

  /** Removes timers and listeners once the attempt is over. A stream needs them until it is closed. */
  close(): void {
    this.#limit.close();
    this.#stopListening();
  }

  #createIdleTimer() {
    return createIdleTimer(this.#idleTimeout, () => this.#limit.end({ code: 'idle_timeout' }));
  }

  #open(body: ReadableStream<Uint8Array>): ReadableStreamDefaultReader<Uint8Array> {
    this.#reader = body.getReader();
    return this.#reader;
  }

  /** The next chunk, or `undefined` at the end. */
  async #next(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> {
    try {
      const { value } = await reader.read();
      if (!this.failure) return value;
    } catch (cause) {
      this.#lost(cause);
    }
    return this.#lost();
  }

  #textOf(response: Response): Promise<string> {
    return this.race(response.text()).catch((cause) => this.#lost(cause));
  }

  #assertSize(size: number, { status, headers }: Response): void {
    if (size <= this.#maxBytes) return;
    const hint = `The response is longer than \`maxResponseBytes\` (${this.#maxBytes}).`;
    const requestId = headers.get('x-request-id') ?? undefined;
    this.fail({ code: 'response_too_large', status, requestId, hint });
  }

  #lost(cause?: unknown): never {
    return this.fail({
      code: 'connection_failed',
      cause,
      hint: 'The connection closed before the whole response arrived.',
    });
  }
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  // Most bodies arrive in one piece.
  if (chunks.length === 1) return chunks[0] as Uint8Array;
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Cancels a body that nobody will read. */
export function discard(body: { cancel(): Promise<void> } | null | undefined): void {
  body?.cancel().catch(ignore);
}

const ignore = (): void => {};
