import { ContentGenError, isContentGenError } from '../errors.ts';
import { routes } from '../generated/routes.ts';
import { isObject } from '../options/values.ts';
import type { CallOptions, ResolvedOptions } from '../options.ts';
import { now } from '../platform/driver.ts';
import type { OperationId, RateLimitFacts } from '../types.ts';
import type { CallSettings } from './call.ts';
import { checkCallOptions } from './client-rules.ts';
import { ofGeneration, retrace, toError } from './failure.ts';
import { prepareCall } from './prepare-call.ts';
import { parseRateLimit } from './rate-limit-headers.ts';
import { misplacedHint, requestIdOf, responseFailure } from './read-response.ts';
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

/** What a call settles with. */
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

/** The input of an operation. */
export interface CallInput {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  readonly body?: object | null | undefined;
  /** Default: any JSON object is valid. */
  readonly isValidBody?: CallSettings['isValidBody'];
  readonly streamTypes?: CallSettings['streamTypes'];
}

/** Makes the calls of the resource methods. */
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
  const send: Caller['send'] = async (operation, callOptions = {}, input = {}) => {
    try {
      const options = resolve();
      const { headers: given = {}, idempotencyKey, ...limits } = checkCallOptions(callOptions);
      const { path, query = {}, body, isValidBody = isObject, streamTypes } = input;
      assertRequest(operation, query, streamTypes);
      if (body !== undefined) assertRequest(operation, body, streamTypes);
      const { deployment, baseUrl } = options;
      const [method = '', template = ''] = routes[operation].split(' ');
      const named = inTheirNames(
        deployment,
        operation,
        queryAsText(query),
        body && datesAsText(body),
      );
      const url = urlOf(baseUrl, deployment?.path(operation) ?? template, path, named.query);
      const headers: Record<string, string> = {};
      if (streamTypes) headers['accept'] = `text/event-stream, ${problemType}`;
      if (named.body !== undefined) headers['content-type'] = 'application/json';
      for (const [name, value] of Object.entries(given)) {
        if (value !== undefined) headers[name.toLowerCase()] = value;
      }
      if (method === 'POST' && idempotencyKey) headers['idempotency-key'] = idempotencyKey;
      const request = { method, url, headers, body: JSON.stringify(named.body) };
      const settings = { ...limits, operation, defaultHeaders, isValidBody, streamTypes };
      return await sendObserved(prepareCall(options, request, settings));
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
      // A registration in a deployment might have no secret of its own.
      const isOptional = operation === 'createWebhook' && resolve().deployment;
      for (const field of isOptional ? [] : (promised[operation] ?? [])) {
        if (typeof Object(result.body)[field] !== 'string') throw lacks(result, field);
      }
      // No body of the contract is an object in an object.
      if (wrapperOf(result.body)) throw lacks(result, 'fields of its own');
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

/** The error for a response that doesn't match the contract. */
export function unexpectedResponse(
  { call, response, attempts, body }: CallResult,
  problem: string,
): ContentGenError {
  const hint = misplacedHint(response, `The response ${problem}.`);
  const failure = { ...responseFailure(response, 'invalid_response', hint), body };
  return ofGeneration(toError(failure, call, attempts), Object(body).requestId);
}

/** What callers rely on. A key and a secret are shown only once, so a missing one must not go unnoticed. */
const promised: { readonly [Id in OperationId]?: readonly string[] } = {
  getGeneration: ['requestId', 'status'],
  cancelGeneration: ['requestId', 'status'],
  createApiKey: ['key'],
  regenerateApiKey: ['key'],
  createWebhook: ['secret'],
  rotateWebhookSecret: ['secret'],
  getSigningSecret: ['secret'],
  rotateSigningSecret: ['secret'],
};

/** The error for a response without a field; it names those that the response has, never their values. */
export function lacks(result: CallResult, field: string): ContentGenError {
  const names = Object.keys(Object(result.body)).filter((name) => /^\w{1,40}$/.test(name));
  const known = names.slice(0, 20).join(', ') || 'none';
  const wrap = wrapperOf(result.body);
  const advice =
    wrap && wrap !== field
      ? `. If ${wrap} holds every body, set deployment: { wrap: '${wrap}' }`
      : '';
  return unexpectedResponse(
    result,
    `has no ${field} (its fields: ${known}); see error.body${advice}`,
  );
}

/** The only member of a body, if it is an object. */
function wrapperOf(body: unknown): string | undefined {
  const [name = '', second] = Object.keys(Object(body));
  return second === undefined && isObject(Object(body)[name]) && /^\w{1,40}$/.test(name)
    ? name
    : undefined;
}

function assertRequest(operation: OperationId, part: unknown, streamTypes?: RegExp): void {
  if (!isObject(part)) throw new TypeError(`The request of ${operation} must be an object.`);
  if ('stream' in part && !streamTypes) {
    throw new TypeError('Use content.stream() to stream a generation.');
  }
}
