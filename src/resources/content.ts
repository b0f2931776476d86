import { type ApiPromise, type Caller, CallPromise } from '../core/caller.ts';
import { createList, type ListPromise } from '../core/pagination.ts';
import { fillPath } from '../core/request-url.ts';
import { isObject } from '../options/values.ts';
import type { CallOptions } from '../options.ts';
import type {
  CompletedGeneration,
  GenerateParams,
  GenerateRequest,
  Generation,
  QueryOf,
  StartParams,
} from '../types.ts';
import { createJob, type GenerationJob } from './generation-job.ts';
import { createStream, type GenerationStream, type StreamPosition } from './generation-stream.ts';
import { knownGeneration, newGeneration } from './resume-stream.ts';

/** What `generate` resolves to: a job if there is a `webhookUrl`. */
export type Generated<Url extends string | undefined> = Url extends string
  ? GenerationJob
  : CompletedGeneration;

/** Options of `content.watch()`. */
export interface WatchOptions extends CallOptions {
  /** The `id:` of the last event that was read. @default from the beginning */
  readonly lastEventId?: string | undefined;
}

/** Generates content: in one call, in the background, or as a stream. */
export interface Content {
  /**
   * Generates content and resolves with the completed generation. With a `webhookUrl`, it does what `start()` does.
   * @throws QuotaExceededError `quota_exceeded`
   * @throws GenerationFailedError `generation_failed` when the model fails, after the retries
   * @example const { result } = await client.content.generate({ prompt: 'A haiku about TCP' });
   */
  generate<Url extends string | undefined = undefined>(
    request: StartParams<Url> | GenerateRequest,
    options?: CallOptions,
  ): ApiPromise<Generated<Url>>;

  /**
   * Starts a generation in the background and resolves with its job as soon as it is accepted. The result is posted to
   * `webhookUrl`; the job can also wait for it.
   * @throws QuotaExceededError `quota_exceeded`
   * @example const job = await client.content.start({ prompt, webhookUrl: 'https://app.example/callbacks' });
   */
  start(request: StartParams, options?: CallOptions): ApiPromise<GenerationJob>;

  /**
   * Streams the text as it is generated. Nothing is sent until it is iterated or its `final()` is called. When the
   * connection breaks, it goes on by itself where it was, and nothing is billed twice.
   * @throws ContentGenError `stream_diverged` if a service without event ids repeats another text
   * @example for await (const text of client.content.stream({ prompt })) console.log(text);
   */
  stream(request: GenerateParams, options?: CallOptions): GenerationStream;

  /**
   * Streams the text of any generation, whoever began it: from its beginning, or from after `lastEventId`. Takes the JSON
   * of a stream or of a job too. Leaving it does not cancel the generation.
   * @example for await (const text of client.content.watch('gen_01hzy3v5k8m2n4p6q8r0s2t4v6')) console.log(text);
   */
  watch(generation: string | StreamPosition, options?: WatchOptions): GenerationStream;

  /**
   * Lists the project's generations, newest first; `status` and `since` (a `Date`, or RFC 3339) narrow the list. `await` it for a
   * page, or iterate it for all.
   * @example const { data, nextCursor } = await client.content.list({ status: 'failed' });
   */
  list(query?: QueryOf<'listGenerations'>, options?: CallOptions): ListPromise<Generation>;

  /** Returns a generation in its current state. */
  get(requestId: string, options?: CallOptions): ApiPromise<Generation>;

  /** Cancels a generation that is `processing`; 409 `invalid_state` otherwise. */
  cancel(requestId: string, options?: CallOptions): ApiPromise<Generation>;

  /**
   * Returns the job of a generation that was started earlier, from its `requestId` or its JSON. Sends nothing.
   * @throws TypeError if there is no `requestId`
   * @example const { result } = await client.content.resume('gen_01hzy3v5k8m2n4p6q8r0s2t4v6').wait();
   */
  resume(job: string | Pick<GenerationJob, 'requestId'>): GenerationJob;
}

/** What other services call `webhookUrl`. Without this check, the result would go nowhere. */
const otherWebhookUrl = /^(callback|web_?hook|hook)(_?ur[il])?$/i;

function webhookUrlMistake(request: unknown, isJob: boolean): string | undefined {
  if (!isObject(request) || request['webhookUrl'] != null) return undefined;
  const other = Object.keys(request).find((name) => otherWebhookUrl.test(name));
  if (other && other !== 'webhookUrl') return `Unknown field ${other}. Did you mean webhookUrl?`;
  return isJob ? 'start() needs a webhookUrl. Use generate() to wait for the result.' : undefined;
}

export function createContent(caller: Caller): Content {
  const send = (request: GenerateRequest, options: CallOptions | undefined, isJob: boolean) => {
    const mistake = webhookUrlMistake(request, isJob);
    const body = request ?? null;
    if (mistake) {
      return new CallPromise<never>(async () => {
        throw new TypeError(mistake);
      });
    }
    if (!isJob) return caller.call<CompletedGeneration>('generateContent', options, { body });
    return caller.call('generateContent', options, { body, promised: 'requestId!' }, ({ body }) =>
      createJob(caller, (body as { requestId: string }).requestId),
    );
  };

  return {
    generate: ((request: GenerateRequest, options?: CallOptions) =>
      send(request, options, request?.webhookUrl !== undefined)) as Content['generate'],
    start: ((request: GenerateRequest, options?: CallOptions) =>
      send(request, options, true)) as Content['start'],
    stream: (request, options) => {
      const body = isObject(request) ? { ...request, stream: true } : null;
      return createStream(newGeneration(caller, body, options));
    },
    watch: (generation, { lastEventId, ...options } = {}) => {
      const position = typeof generation === 'string' ? { requestId: generation } : generation;
      const { requestId } = Object(position);
      fillPath('{requestId}', { requestId });
      const from = { requestId, lastEventId: lastEventId ?? Object(position).lastEventId };
      return createStream(knownGeneration(caller, from, options));
    },
    list: (query, options) => createList(caller, 'listGenerations', options, query),
    get: (requestId, options) => caller.call('getGeneration', options, { path: { requestId } }),
    cancel: (requestId, options) =>
      caller.call('cancelGeneration', options, { path: { requestId } }),
    resume: (job) => {
      const { requestId } = typeof job === 'string' ? { requestId: job } : Object(job);
      fillPath('{requestId}', { requestId });
      return createJob(caller, requestId);
    },
  };
}
