import type { ContentGenError } from '../errors.ts';
import { routes } from '../generated/routes.ts';
import { type CallOptions, checkCallOptions, type ResolvedOptions } from '../options.ts';
import type { OperationId } from '../types.ts';
import { type ApiPromise, CallPromise } from './api-promise.ts';
import { toError } from './failure.ts';
import { createRequester } from './http.ts';
import { isObject, misplacedHint, responseFailure } from './parse.ts';
import type { CallSettings } from './request.ts';
import type { CallResult } from './send.ts';

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

export function createCaller(options: ResolvedOptions): Caller {
  const request = createRequester(options);
  // Not passed as `headers`: openapi-fetch would merge them again for each call.
  const defaultHeaders = { accept: `application/json, ${problemType}`, ...options.headers };

  const send: Caller['send'] = async (operation, callOptions, input = {}) => {
    const { headers, idempotencyKey, signal, ...limits } = checkCallOptions(callOptions);
    const { path, query = {}, body, isValidBody = isObject, streamTypes } = input;
    assertRequest(operation, query, streamTypes);
    if (body !== undefined) assertRequest(operation, body, streamTypes);
    const [method = '', template = ''] = routes[operation].split(' ');
    const init = {
      params: { path, query },
      body,
      signal,
      headers: {
        ...(streamTypes && { accept: `text/event-stream, ${problemType}` }),
        ...headers,
        ...(method === 'POST' && idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
    };
    const settings = { ...limits, operation, defaultHeaders, isValidBody, streamTypes };
    const { result } = await request(method, options.paths[operation] ?? template, init, settings);
    restoreWebhookUrl(result.body, operation, options.webhookUrlField);
    return result;
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

  return { options, call, send };
}

/** The error for a response that lacks what the contract promises. */
export function unexpectedResponse(
  { call, response, attempts }: CallResult,
  problem: string,
): ContentGenError {
  const hint = misplacedHint(response, `The response ${problem}.`);
  return toError(responseFailure(response, 'invalid_response', hint), call, attempts);
}

function assertRequest(operation: OperationId, part: unknown, streamTypes?: RegExp): void {
  if (!isObject(part)) throw new TypeError(`The request of ${operation} must be an object.`);
  if ('stream' in part && !streamTypes) {
    throw new TypeError('Use content.stream() to stream a generation.');
  }
}

/** Renames the deployment's callback field back to `webhookUrl` in a generation or a page of them. */
function restoreWebhookUrl(body: unknown, operation: OperationId, field: string): void {
  if (field === 'webhookUrl' || !/Content$|Generations?$/.test(operation)) return;
  const { data } = Object(body) as { data?: unknown };
  for (const row of (Array.isArray(data) ? data : [body]) as Record<string, unknown>[]) {
    if (row?.[field] === undefined) continue;
    row['webhookUrl'] = row[field];
    delete row[field];
  }
}
