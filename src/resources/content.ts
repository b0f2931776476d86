import type { ApiPromise } from '../core/api-promise.ts';
import { type Caller, unexpected } from '../core/caller.ts';
import { ListPromise } from '../core/pagination.ts';
import { isObject } from '../core/parse.ts';
import { fillPath } from '../core/path.ts';
import type { CallOptions } from '../options.ts';
import type { CompletedGeneration, GenerateParams, Generation, QueryOf } from '../types.ts';
import { GenerationJob } from './generation-job.ts';
import { GenerationStream } from './generation-stream.ts';

/** Generates content, at once, in the background or piece by piece. */
export class Content {
  readonly #call: Caller;
  constructor(call: Caller) {
    this.#call = call;
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
    const { webhookUrl } = request ?? {};
    const { webhookUrlField } = this.#call.options;
    const body =
      webhookUrl === undefined
        ? (request ?? null)
        : { ...request, webhookUrl: undefined, [webhookUrlField]: webhookUrl };
    return this.#call('generateContent', options, { body }, (answer) => {
      const { requestId, result } = answer.body as Partial<CompletedGeneration>;
      const promised = webhookUrl === undefined ? result : requestId;
      if (typeof promised !== 'string') throw unexpected(answer, 'is no generation');
      if (webhookUrl === undefined) return answer.body as CompletedGeneration;
      return new GenerationJob(this.#call, promised);
    });
  }

  /** Generates content piece by piece; nothing is sent before it is iterated or its `final()` is called. */
  stream(request: GenerateParams, options?: CallOptions): GenerationStream {
    const body = isObject(request) ? { ...request, stream: true } : null;
    return new GenerationStream(() =>
      this.#call.open('generateContent', options, {
        body,
        streams: /^text\/event-stream\b/i,
        fits: () => false,
      }),
    );
  }

  /** The project's generations, newest first: `await` a page, `for await` all. */
  list(query?: QueryOf<'listGenerations'>, options?: CallOptions): ListPromise<Generation> {
    return new ListPromise(this.#call, 'listGenerations', options, query);
  }

  /** A generation as it is now. */
  get(requestId: string, options?: CallOptions): ApiPromise<Generation> {
    return this.#call('getGeneration', options, { path: { requestId } });
  }

  /** Cancels a generation that is `processing`; 409 `invalid_state` otherwise. */
  cancel(requestId: string, options?: CallOptions): ApiPromise<Generation> {
    return this.#call('cancelGeneration', options, { path: { requestId } });
  }

  /** The handle of an earlier asynchronous generation, from its JSON or its `requestId`; sends nothing. */
  resume(handle: { readonly requestId: string }): GenerationJob {
    fillPath('{requestId}', Object(handle));
    return new GenerationJob(this.#call, handle.requestId);
  }
}
