import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { lightResponse } from './light-response.ts';

/** Bytes that wait for the reader before the socket is paused. */
const HIGH_WATER = 64 * 1024;

/** Turns the events of one exchange into a `Response`. */
export class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #url: string;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (response: Response) => void;
  readonly #reject: (reason: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  #early: Uint8Array[] = [];
  #started = false;
  #ended = false;
  #failed: { reason: unknown } | undefined;

  constructor(
    url: string,
    signal: AbortSignal | undefined,
    resolve: (response: Response) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#url = url;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    signal?.addEventListener('abort', this.#abort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failed) controller.abort(asError(this.#failed.reason));
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    statusText = '',
  ): void {
    if (status < 200) return;
    this.#started = true;
    // A small answer is parsed in one go: by the microtask its body is complete and needs no stream of ours.
    queueMicrotask(() => {
      try {
        this.#resolve(
          lightResponse({ url: this.#url, status, statusText, headers }, this.#body(status)),
        );
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (!this.#stream) {
      this.#early.push(chunk);
      return;
    }
    this.#stream.enqueue(chunk);
    if ((this.#stream.desiredSize ?? 0) <= 0) controller.pause();
  }

  onResponseEnd(): void {
    this.#ended = true;
    this.#stream?.close();
    this.#release();
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, cause: Error): void {
    this.#fail(this.#failed?.reason ?? new TypeError('fetch failed', { cause }));
  }

  #body(status: number): Uint8Array | ReadableStream<Uint8Array> | null {
    if (this.#failed) throw this.#failed.reason;
    if (status === 204 || status === 205 || status === 304) return null;
    if (this.#ended) {
      return this.#early.length === 1 ? (this.#early[0] as Uint8Array) : Buffer.concat(this.#early);
    }
    return new ReadableStream<Uint8Array>(
      {
        start: (stream) => {
          this.#stream = stream;
          for (const chunk of this.#early) stream.enqueue(chunk);
          this.#early = [];
          if ((stream.desiredSize ?? 0) <= 0) this.#controller?.pause();
        },
        pull: () => this.#controller?.resume(),
        cancel: (reason) =>
          this.#fail(reason ?? new DOMException('The body was canceled.', 'AbortError')),
      },
      { highWaterMark: HIGH_WATER, size: (chunk) => chunk?.byteLength ?? 0 },
    );
  }

  readonly #abort = (): void => this.#fail(this.#signal?.reason);

  #fail(reason: unknown): void {
    if (this.#ended || this.#failed) return;
    this.#failed = { reason };
    this.#release();
    this.#controller?.abort(asError(reason));
    if (!this.#started) this.#reject(reason);
    else {
      // Rejects only when the microtask of the headers has not run yet.
      this.#reject(reason);
      try {
        this.#stream?.error(reason);
      } catch {}
    }
  }

  #release(): void {
    this.#signal?.removeEventListener('abort', this.#abort);
  }
}

const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error('The call was ended.', { cause: reason });
