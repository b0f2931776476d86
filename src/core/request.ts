import createClient, { type Client } from 'openapi-fetch';
import { refuse } from '../errors.ts';
import type { paths } from '../generated/openapi.ts';
import { routes } from '../generated/routes.ts';
import { type CallOptions, checkCallOptions, type ResolvedOptions } from '../options.ts';
import type { OperationId } from '../types.ts';
import { Call, type CallInit } from './call.ts';
import { nameCallback } from './callback-field.ts';
import { isObject } from './parse.ts';
import { fillPath } from './path.ts';
import { type Answer, send } from './send.ts';

/** What a resource method hands over. */
export interface CallInput {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  readonly body?: object | null | undefined;
  /** A JSON object by default. */
  readonly fits?: CallInit['fits'];
  readonly streams?: CallInit['streams'];
}

/** Sends the call of a resource method; misuse rejects with a `TypeError`, an error status with its `ApiError`. */
export type OpenCall = (
  operation: OperationId,
  options: CallOptions | undefined,
  input?: CallInput,
) => Promise<Answer>;

/** `request` of openapi-fetch, without the types of the paths. */
export type Send = (
  method: string,
  path: string,
  init: object,
) => Promise<{ data?: unknown; error?: unknown; response: Answer }>;

/** openapi-fetch over our transport: it makes address, query, headers and body; its `fetch` is the logical call. */
export function createRequester(options: ResolvedOptions, more: object): Client<paths> {
  return createClient<paths>({
    ...more,
    baseUrl: options.baseUrl,
    pathSerializer: fillPath,
    Request: Call as never,
    fetch: send as never,
  });
}

/** The calls of the resource methods. */
export function createOpen(options: ResolvedOptions): OpenCall {
  const problem = ', application/problem+json';
  const accept = `application/json${problem}`;
  // Not as `headers`, which openapi-fetch goes through anew for each call.
  const base = { accept, ...options.headers };
  const request = createRequester(options, { options, base }).request as unknown as Send;
  return async (
    operation,
    callOptions,
    { path, query = {}, body, fits = isObject, streams } = {},
  ) => {
    const { headers, idempotencyKey, signal, ...own } = checkCallOptions(callOptions);
    for (const part of [query, body === undefined ? {} : body]) {
      if (!isObject(part)) return refuse(`The request of ${operation} must be an object.`);
      if ('stream' in part && !streams) {
        return refuse('Use content.stream() for a stream.');
      }
    }
    const [method = '', template = ''] = routes[operation].split(' ');
    const { response } = await request(method, options.paths[operation] ?? template, {
      operation,
      own,
      fits,
      streams,
      signal,
      params: { path, query },
      body,
      // The answer holds a body that is parsed already.
      parseAs: 'stream',
      headers: {
        ...(streams && { accept: `text/event-stream${problem}` }),
        ...headers,
        ...(method === 'POST' && idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
    });
    nameCallback(response.body, operation, options.webhookUrlField);
    return response;
  };
}
