import type { ApiPromise } from '../core/api-promise.ts';
import { type Caller, unexpected } from '../core/caller.ts';
import { type ListPromise, list } from '../core/pagination.ts';
import { fillPath } from '../core/path.ts';
import type { CallOptions } from '../options.ts';
import type { CompletedGeneration, GenerateParams, Generation, QueryOf } from '../types.ts';
import { GenerationJob } from './generation-job.ts';
import { GenerationStream } from './generation-stream.ts';

/** Generates content, at once, in the background or piece by piece. */
export class Content {
  readonly #caller: Caller;
  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Generates content. With `webhookUrl` the answer is a handle and the result is posted there; without, it is the
   * completed generation.
   * @throws QuotaExceededError `quota_exceeded`
   * @throws ServerError `generation_failed` when the model fails
   */
  generate(
    request: GenerateParams & { readonly webhookUrl: string },
    options?: CallOptions,
  ): ApiPromise<GenerationJob>;
  generate(
    request: GenerateParams & { readonly webhookUrl?: undefined },
    options?: CallOptions,
  ): ApiPromise<CompletedGeneration>;
  generate(
    request: GenerateParams & { readonly webhookUrl?: string | undefined },
    options?: CallOptions,
  ): ApiPromise<CompletedGeneration | GenerationJob>;
  generate(
    request: GenerateParams & { readonly webhookUrl?: string | undefined },
    options?: CallOptions,
  ): ApiPromise<CompletedGeneration | GenerationJob> {
    const asynchronous = request?.webhookUrl !== undefined;
    const body = request && this.#body(request);
    return this.#caller.call({ operation: 'generateContent', body, options }, (data, answer) => {
      const { requestId, result } = data as Partial<CompletedGeneration>;
      if (typeof requestId !== 'string' || requestId === '') {
        throw unexpected(answer, 'has no requestId');
      }
      if (asynchronous) return new GenerationJob(this.#caller, requestId);
      if (typeof result !== 'string') throw unexpected(answer, 'has no result');
      return data as CompletedGeneration;
    });
  }

  /** Generates content piece by piece; nothing is sent before it is iterated or its `final()` is called. */
  stream(request: GenerateParams, options?: CallOptions): GenerationStream {
    return new GenerationStream(this.#caller, {
      operation: 'generateContent',
      body: { ...request, stream: true },
      expects: 'stream',
      options,
    });
  }

  /** The project's generations, newest first: `await` a page, `for await` all. */
  list(query?: QueryOf<'listGenerations'>, options?: CallOptions): ListPromise<Generation> {
    return list(this.#caller, 'listGenerations', undefined, query, options);
  }

  /** A generation as it is now. */
  get(requestId: string, options?: CallOptions): ApiPromise<Generation> {
    return this.#caller.call(
      { operation: 'getGeneration', path: { requestId }, options },
      (data) => data as Generation,
    );
  }

  /** Cancels a generation that is `processing`; 409 `invalid_state` otherwise. */
  cancel(requestId: string, options?: CallOptions): ApiPromise<Generation> {
    return this.#caller.call(
      { operation: 'cancelGeneration', path: { requestId }, options },
      (data) => data as Generation,
    );
  }

  /** The handle of an earlier asynchronous generation, from its JSON or its `requestId`; sends nothing. */
  resume(handle: { readonly requestId: string }): GenerationJob {
    fillPath('{requestId}', { requestId: handle?.requestId });
    return new GenerationJob(this.#caller, handle.requestId);
  }

  #body(request: object & { readonly webhookUrl?: string | undefined }): object {
    if ('stream' in request)
      throw new TypeError('stream is no field of generate: use content.stream().');
    const { webhookUrl, ...rest } = request;
    if (webhookUrl === undefined) return rest;
    return { ...rest, [this.#caller.transport.options.webhookUrlField]: webhookUrl };
  }
}
