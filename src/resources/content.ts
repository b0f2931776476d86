import type { ApiPromise } from '../core/api-promise.ts';
import { type Caller, unexpectedResponse } from '../core/caller.ts';
import { createList, type ListPromise } from '../core/pagination.ts';
import { isObject } from '../core/parse.ts';
import { fillPath } from '../core/path.ts';
import type { CallOptions } from '../options.ts';
import type { CompletedGeneration, GenerateParams, Generation, QueryOf } from '../types.ts';
import { createJob, type GenerationJob } from './generation-job.ts';
import { createStream, type GenerationStream } from './generation-stream.ts';

type GenerateRequest = GenerateParams & { readonly webhookUrl?: string | undefined };

/** Generates content: at once, in the background, or as a stream. */
export interface Content {
  /**
   * Generates content in the background. The result is posted to `webhookUrl`; the job can also wait for it.
   * @throws QuotaExceededError `quota_exceeded`
   * @example const job = await client.content.generate({ prompt, webhookUrl: 'https://app.example/callbacks' });
   */
  generate(
    request: GenerateParams & { readonly webhookUrl: string },
    options?: CallOptions,
  ): ApiPromise<GenerationJob>;
  /**
   * Generates content and resolves with the completed generation.
   * @throws QuotaExceededError `quota_exceeded`
   * @throws ServerError `generation_failed` when the model fails
   * @example const { result } = await client.content.generate({ prompt: 'A haiku about TCP' });
   */
  generate(
    request: GenerateParams & { readonly webhookUrl?: undefined },
    options?: CallOptions,
  ): ApiPromise<CompletedGeneration>;
  /** Generates content, in the background if `webhookUrl` is set. */
  generate(
    request: GenerateParams & { readonly webhookUrl?: string | undefined },
    options?: CallOptions,
  ): ApiPromise<CompletedGeneration | GenerationJob>;

  /**
   * Streams the text as it is generated. Nothing is sent until it is iterated or its `final()` is called.
   * @example for await (const text of client.content.stream({ prompt })) console.log(text);
   */
  stream(request: GenerateParams, options?: CallOptions): GenerationStream;

  /**
   * Lists the project's generations, newest first; `status` and `since` (RFC 3339) narrow the list. `await` it for a
   * page, or iterate it for all.
   * @example const { data, nextCursor } = await client.content.list({ status: 'failed' });
   */
  list(query?: QueryOf<'listGenerations'>, options?: CallOptions): ListPromise<Generation>;

  /** Returns a generation in its current state. */
  get(requestId: string, options?: CallOptions): ApiPromise<Generation>;

  /** Cancels a generation that is `processing`; 409 `invalid_state` otherwise. */
  cancel(requestId: string, options?: CallOptions): ApiPromise<Generation>;

  /**
   * Returns the job of an earlier asynchronous generation, from its JSON or its `requestId`. Sends nothing.
   * @throws TypeError if there is no `requestId`
   */
  resume(handle: { readonly requestId: string }): GenerationJob;
}

export function createContent(caller: Caller): Content {
  const generate = (request: GenerateRequest, options?: CallOptions) => {
    const { webhookUrl } = request ?? {};
    if (webhookUrl === undefined) {
      const input = { body: request ?? null };
      return caller.call('generateContent', options, input, (result) => {
        const generation = result.body as CompletedGeneration;
        if (typeof generation.result === 'string') return generation;
        throw unexpectedResponse(result, 'has no result');
      });
    }
    const { webhookUrlField } = caller.options;
    const body = { ...request, webhookUrl: undefined, [webhookUrlField]: webhookUrl };
    return caller.call('generateContent', options, { body }, (result) => {
      const { requestId } = result.body as { requestId?: unknown };
      if (typeof requestId === 'string') return createJob(caller, requestId);
      throw unexpectedResponse(result, 'has no requestId');
    });
  };

  return {
    generate: generate as Content['generate'],
    stream: (request, options) => {
      const body = isObject(request) ? { ...request, stream: true } : null;
      return createStream(() =>
        caller.send('generateContent', options, {
          body,
          streamTypes: /^text\/event-stream\b/i,
          isValidBody: () => false,
        }),
      );
    },
    list: (query, options) => createList(caller, 'listGenerations', options, query),
    get: (requestId, options) => caller.call('getGeneration', options, { path: { requestId } }),
    cancel: (requestId, options) =>
      caller.call('cancelGeneration', options, { path: { requestId } }),
    resume: (handle) => {
      fillPath('{requestId}', Object(handle));
      return createJob(caller, handle.requestId);
    },
  };
}
