import type { Failure } from './failure.ts';
import { Scope } from './scope.ts';
import { after } from './wait.ts';

/** A response of `contentgen/node` whose body is there already. */
const complete = Symbol.for('contentgen.complete');

const ignore = (): void => {};

/** Ends a body that nobody will read. */
export const drop = (body: { cancel(): Promise<void> } | null | undefined): void =>
  void body?.cancel().catch(ignore);

/** Thrown inside one attempt to leave it with a failure; not an `Error`, which would cost a stack. */
export class AttemptFailed {
  readonly failure: Failure;
  constructor(failure: Failure) {
    this.failure = failure;
  }
}

/** Bytes of a body, read under the limits of the call. */
export interface ByteStream {
  /** The next piece, `undefined` at the end; throws `AttemptFailed`. */
  read(): Promise<Uint8Array | undefined>;
  /** Ends the connection when bytes are left. */
  close(): void;
}

/**
 * One request and its answer, endable at any moment: by the call, a timer or the reader. Ending settles whatever is
 * awaited at once, even over a `fetch` that ignores its signal.
 */
export class Exchange extends Scope {
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  readonly #interrupted: Promise<never>;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(call: Scope, timeout: number) {
    super(timeout, 'attempt_timeout');
    this.#interrupted = new Promise((_, reject) => {
      this.onEnd = (failure) => {
        reject(new AttemptFailed(failure));
        this.#controller.abort();
        drop(this.#reader);
      };
    });
    this.#interrupted.catch(ignore);
    call.onEnd = this.end;
  }

  race<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.#interrupted]);
  }

  /** The body as text. */
  async text(response: Response, idleTimeout: number): Promise<string> {
    // Nothing is waited for, so nothing needs a limit.
    if ((response as { [complete]?: boolean })[complete]) return response.text();
    const { body } = response;
    if (body === null) return '';
    if (typeof body?.getReader !== 'function') {
      return this.race(response.text()).catch((cause) => this.#lost(cause));
    }
    const stream = this.stream(body, idleTimeout);
    const decoder = new TextDecoder();
    let text = '';
    for (let bytes = await stream.read(); bytes; bytes = await stream.read()) {
      text += decoder.decode(bytes, { stream: true });
    }
    return text + decoder.decode();
  }

  /** The body piece by piece; the idle limit runs only while a piece is waited for. */
  stream(body: ReadableStream<Uint8Array>, idleTimeout: number): ByteStream {
    const reader = body.getReader();
    this.#reader = reader;
    return {
      read: async () => {
        const cancelTimer = after(idleTimeout, () => this.end({ code: 'idle_timeout' }));
        try {
          const { value } = await reader.read();
          if (!this.failure) return value;
        } catch (cause) {
          this.#lost(cause);
        } finally {
          cancelTimer();
        }
        return this.#lost();
      },
      close: () => {
        drop(reader);
        this.#controller.abort();
      },
    };
  }

  #lost(cause?: unknown): never {
    const hint = 'The answer broke off.';
    throw new AttemptFailed(this.failure ?? { code: 'connection_failed', cause, hint });
  }
}
