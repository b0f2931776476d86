import { createScope, type Scope } from './deadline.ts';
import type { Failure } from './failure.ts';
import { after } from './wait.ts';

/** A response of `contentgen/node` whose body is there already. */
const complete = Symbol.for('contentgen.complete');

const ignore = (): void => {};

/** Ends a body that nobody will read. */
export const drop = (body: { cancel(): Promise<void> } | null | undefined): void =>
  void body?.cancel().catch(ignore);

/** Thrown inside one attempt, or by its stream, to leave it; not an `Error`, which would cost a stack. */
export interface AttemptFailed {
  readonly failure: Failure;
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
export interface Exchange extends Scope {
  readonly signal: AbortSignal;
  race<T>(promise: Promise<T>): Promise<T>;
  /** Ends it, unless it is over already, and leaves. */
  leave(failure: Failure): never;
  /** The body as text. */
  text(response: Response): Promise<string>;
  /** The body piece by piece; the idle limit runs only while a piece is waited for. */
  stream(body: ReadableStream<Uint8Array>): ByteStream;
}

export function createExchange(call: Scope, timeout: number, idleTimeout: number): Exchange {
  const scope = createScope(timeout, 'attempt_timeout');
  const controller = new AbortController();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const interrupted = new Promise<never>((_, reject) => {
    scope.onEnd = () => {
      reject(scope);
      controller.abort();
      drop(reader);
    };
  });
  interrupted.catch(ignore);
  call.onEnd = scope.end;
  const lost = (cause?: unknown): never =>
    exchange.leave({ code: 'connection_failed', cause, hint: 'The answer broke off.' });
  const exchange: Exchange = Object.assign(scope, {
    signal: controller.signal,
    race: <T>(promise: Promise<T>) => Promise.race([promise, interrupted]),
    leave: (failure: Failure): never => {
      scope.end(failure);
      throw scope;
    },
    text: async (response: Response) => {
      // Nothing is waited for, so nothing needs a limit.
      if ((response as { [complete]?: boolean })[complete]) return response.text();
      const { body } = response;
      if (!body?.getReader) return exchange.race(response.text()).catch(lost);
      const stream = exchange.stream(body);
      const decoder = new TextDecoder();
      let text = '';
      for (let bytes = await stream.read(); bytes; bytes = await stream.read()) {
        text += decoder.decode(bytes, { stream: true });
      }
      return text + decoder.decode();
    },
    stream: (body: ReadableStream<Uint8Array>) => {
      const source = body.getReader();
      reader = source;
      return {
        read: async () => {
          const cancelTimer = after(idleTimeout, () => scope.end({ code: 'idle_timeout' }));
          try {
            const { value } = await source.read();
            if (!scope.failure) return value;
          } catch (cause) {
            lost(cause);
          } finally {
            cancelTimer();
          }
          return lost();
        },
        close: () => {
          drop(source);
          controller.abort();
        },
      };
    },
  });
  return exchange;
}
