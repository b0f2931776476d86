import { ContentGenError, isContentGenError } from '../errors.ts';
import { routes } from '../generated/routes.ts';
import { isObject } from '../options/values.ts';
import type { CallOptions, ResolvedOptions } from '../options.ts';
import { now } from '../platform/driver.ts';
import type { OperationId, RateLimitFacts } from '../types.ts';
import type { CallSettings } from './call.ts';
import { checkCallOptions } from './client-rules.ts';
import { retrace } from './failure.ts';
import { prepareCall } from './prepare-call.ts';
import { assertPromised } from './promised.ts';
import { parseRateLimit } from './rate-limit-headers.ts';
import { requestIdOf } from './read-response.ts';
import { inTheirNames, urlOf } from './request-url.ts';
import { datesAsText, queryAsText } from './request-values.ts';
import { type CallResult, sendObserved } from './send.ts';

/** The data of a call, with details of its response. */
export interface WithResponse<T> {
  /** What the call resolves with when it is awaited directly. */
  readonly data: T;
  /** Its body has already been read, except for a stream's. */
  readonly response: Response;
  /** The `X-Request-Id` header. */
  readonly requestId: string | undefined;
  /** The idempotency key of the call; POST only. */
  readonly idempotencyKey: string | undefined;
  /** Whether the service replayed the response of an earlier request with the same key. */
  readonly replayed: boolean;
  /** How many attempts were made, at least 1. */
  readonly attempts: number;
  /** The `RateLimit` headers. */
  readonly rateLimit: RateLimitFacts | undefined;
}

/** The value of a call, or its error. */
export type SafeResult<T> =
  | {
      /** Whether the call succeeded. */
      readonly ok: true;
      /** What the call resolved with. */
      readonly value: T;
      /** Why the call failed. */
      readonly error?: undefined;
    }
  | {
      /** Whether the call succeeded. */
      readonly ok: false;
      /** Why the call failed. */
      readonly error: ContentGenError;
      /** What the call resolved with. */
      readonly value?: undefined;
    };

/**
 * The promise of a call, which also gives access to the response.
 * The request is sent once, no matter how many times or in which form it is awaited.
 */
export interface ApiPromise<T> extends Promise<T> {
  /**
   * Resolves with the data, the response, request id, idempotency key and rate limit.
   * @example const { data, requestId } = await client.usage.get().withResponse();
   */
  withResponse(): Promise<WithResponse<T>>;
  /**
   * Resolves with the value or the error; never rejects. The error of misuse, or of your own middleware, is the `cause`
   * of an `unexpected_error`.
   * @example const { ok, value, error } = await client.usage.get().safe();
   */
  safe(): Promise<SafeResult<T>>;
}

export interface Settled<T> {
  readonly data: T;
  readonly result: CallResult;
}

/** An `ApiPromise` that starts its call at once, or on the first `then` if it is lazy. */
export class CallPromise<T> extends Promise<T> implements ApiPromise<T> {
  readonly #start: () => Promise<Settled<T>>;
  #settled: Promise<Settled<T>> | undefined;

  constructor(start: () => Promise<Settled<T>>, { lazy = false } = {}) {
    super(() => {});
    this.#start = start;
    if (!lazy) void this.#run();
  }

  async withResponse(): Promise<WithResponse<T>> {
    const { data, result } = await this.#run();
    return { data, ...responseDetails(result) };
  }

  async safe(): Promise<SafeResult<T>> {
    try {
      return { ok: true, value: (await this.#run()).data };
    } catch (error) {
      return { ok: false, error: isContentGenError(error) ? error : unexpectedError(error) };
    }
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    // Handlers are passed on as they are: V8 follows a chain of promises to the caller's `await`, but not through a
    // function that wraps them.
    return this.#run()
      .then(({ data }) => data)
      .then(onFulfilled, onRejected);
  }

  override finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally);
  }

  #run(): Promise<Settled<T>> {
    this.#settled ??= this.#start();
    return this.#settled;
  }
}

export function responseDetails(result: CallResult): Omit<WithResponse<never>, 'data'> {
  const { response, call, attempts } = result;
  const { headers } = response;
  return {
    response,
    requestId: requestIdOf(response),
    idempotencyKey: call.idempotencyKey,
    replayed: headers.get('idempotency-replayed') === 'true',
    attempts: attempts.length + 1,
    rateLimit: parseRateLimit(headers, now()),
  };
}

/**
 * Wraps what middleware threw, or the error of a misuse. The original message stays in the cause, because it might
 * quote anything.
 */
function unexpectedError(cause: unknown): ContentGenError {
  const message = 'The error comes from neither the client nor the service; see its cause.';
  return new ContentGenError(message, { code: 'unexpected_error', cause });
}

export interface CallInput {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  readonly body?: object | null | undefined;
  /** Default: any JSON object is valid. */
  readonly isValidBody?: CallSettings['isValidBody'];
  readonly streamTypes?: CallSettings['streamTypes'];
  /** What the response has, in the form of the generated table. Default: what the contract promises. */
  readonly promised?: string;
}

export interface Caller {
  readonly options: ResolvedOptions;
  /** Sends at once. The promise resolves with the response body, or with what `shape` makes of the result. */
  call<T>(
    operation: OperationId,
    options: CallOptions | undefined,
    input?: CallInput,
    shape?: (result: CallResult) => T,
  ): ApiPromise<T>;
  /** Sends and resolves with the whole result. Misuse rejects with a `TypeError`, an error status with its `ApiError`. */
  send(
    operation: OperationId,
    options: CallOptions | undefined,
    input?: CallInput,
  ): Promise<CallResult>;
}

const problemType = 'application/problem+json';
const defaultHeaders = { accept: `application/json, ${problemType}` };

export function createCaller(resolve: () => ResolvedOptions): Caller {
  const send: Caller['send'] = async (operation, callOptions, input = {}) => {
    try {
      const options = resolve();
      const { headers: given, idempotencyKey, ...limits } = checkCallOptions(callOptions);
      const { path, query, body, isValidBody = isObject, streamTypes, promised } = input;
      if (query !== undefined) assertRequest(operation, query, streamTypes);
      if (body !== undefined) assertRequest(operation, body, streamTypes);
      const { deployment, baseUrl } = options;
      const [method = '', template = ''] = routes[operation].split(' ');
      const named = inTheirNames(
        deployment,
        operation,
        query && queryAsText(query),
        body && datesAsText(body),
      );
      const url = urlOf(baseUrl, deployment?.path(operation) ?? template, path, named.query);
      const headers: Record<string, string> = {};
      if (streamTypes) headers['accept'] = `text/event-stream, ${problemType}`;
      if (named.body !== undefined) headers['content-type'] = 'application/json';
      for (const [name, value] of Object.entries(given ?? {})) {
        if (value !== undefined) headers[name.toLowerCase()] = value;
      }
      if (method === 'POST' && idempotencyKey) headers['idempotency-key'] = idempotencyKey;
      const request = { method, url, headers, body: JSON.stringify(named.body) };
      const settings = { ...limits, operation, defaultHeaders, isValidBody, streamTypes };
      const result = await sendObserved(prepareCall(options, request, settings));
      if (!streamTypes) assertPromised(result, operation, promised);
      return result;
    } catch (error) {
      throw retrace(error);
    }
  };

  const call: Caller['call'] = <T>(
    operation: OperationId,
    callOptions: CallOptions | undefined,
    input?: CallInput,
    shape: (result: CallResult) => T = (result) => result.body as T,
  ) =>
    new CallPromise(async () => {
      const result = await send(operation, callOptions, input);
      return { data: shape(result), result };
    });

  return {
    get options() {
      return resolve();
    },
    call,
    send,
  };
}

function assertRequest(operation: OperationId, part: unknown, streamTypes?: RegExp): void {
  if (!isObject(part)) throw new TypeError(`The request of ${operation} must be an object.`);
  if ('stream' in part && !streamTypes) {
    throw new TypeError('Use content.stream() to stream a generation.');
  }
}
