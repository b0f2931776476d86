import type { IncomingHttpHeaders } from 'node:http';
import { Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { onAbort } from '../platform/driver.ts';
import { lightResponse } from './light-response.ts';

/** How many unread bytes pause the socket. */
const HIGH_WATER_MARK = 64 * 1024;

/** Some proxies compress although `identity` was asked for. */
const decoders = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Turns the events of undici's dispatcher into a `Response`. */
export class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #url: string;
  readonly #resolve: (response: Response) => void;
  readonly #reject: (reason: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Chunks that arrive before the stream exists. */
  #early: Uint8Array[] = [];
  #stopListening = (): void => {};
  #ended = false;
  #failed: { reason: unknown } | undefined;

  constructor(
    url: string,
    signal: AbortSignal | undefined,
    resolve: (response: Response) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#url = url;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#stopListening = onAbort(signal, () => this.#fail(signal?.reason));
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
    // A small response is parsed in one go: by this microtask its body is complete and needs no stream.
    queueMicrotask(() => {
      try {
        const body = this.#body(status, headers['content-encoding']);
        this.#resolve(lightResponse({ url: this.#url, status, statusText, headers }, body));
      } catch (error) {
        this.#fail(error);
        this.#reject(error);
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
    this.#stopListening();
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, cause: Error): void {
    this.#fail(this.#failed?.reason ?? new TypeError('fetch failed', { cause }));
  }

  #body(
    status: number,
    encoding: string | undefined,
  ): Uint8Array | ReadableStream<Uint8Array> | null {
    if (this.#failed) throw this.#failed.reason;
    if (status === 204 || status === 205 || status === 304) return null;
    if (encoding && encoding !== 'identity') return this.#decoded(encoding);
    if (this.#ended) {
      return this.#early.length === 1 ? (this.#early[0] as Uint8Array) : Buffer.concat(this.#early);
    }
    return this.#open();
  }

  #decoded(encodings: string): ReadableStream<Uint8Array> {
    const names = encodings.split(',').map((name) => name.trim().toLowerCase());
    let body = this.#open();
    // The last one was applied last.
    for (const name of names.reverse()) {
      const decoder = decoders.get(name)?.();
      if (!decoder) {
        const cause = new Error(
          `The response is encoded as ${name}, which nodeFetch cannot decode.`,
        );
        throw new TypeError('fetch failed', { cause: Object.assign(cause, { code: 'ENCODING' }) });
      }
      body = body.pipeThrough(Duplex.toWeb(decoder) as unknown as ReadableWritablePair);
    }
    return body;
  }

  #open(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (stream) => {
          this.#stream = stream;
          for (const chunk of this.#early) stream.enqueue(chunk);
          this.#early = [];
          if (this.#ended) stream.close();
          else if ((stream.desiredSize ?? 0) <= 0) this.#controller?.pause();
        },
        pull: () => this.#controller?.resume(),
        cancel: (reason) =>
          this.#fail(reason ?? new DOMException('The response body was canceled.', 'AbortError')),
      },
      { highWaterMark: HIGH_WATER_MARK, size: (chunk) => chunk?.byteLength ?? 0 },
    );
  }

  #fail(reason: unknown): void {
    if (this.#ended || this.#failed) return;
    this.#failed = { reason };
    this.#stopListening();
    this.#controller?.abort(asError(reason));
    // Has no effect once the response has been handed out.
    this.#reject(reason);
    try {
      this.#stream?.error(reason);
    } catch {}
  }
}

const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error('The request was aborted.', { cause: reason });
