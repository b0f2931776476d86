import { createFinalURL, createQuerySerializer } from 'openapi-fetch';
import { operations } from '../generated/operations.ts';
import { type CallOptions, type ResolvedOptions, resolveCallOptions } from '../options.ts';
import type { OperationId } from '../types.ts';
import type { Call } from './attempt.ts';
import { fillPath } from './path.ts';
import { randomKey, userAgent } from './runtime.ts';

/** What a resource method hands over. */
export interface CallInput {
  readonly operation: OperationId;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: object | undefined;
  readonly expects?: Call['expects'];
  readonly options: CallOptions | undefined;
}

const querySerializer = createQuerySerializer();

/** Makes the call of a resource method: address, headers, body and idempotency key are fixed here, once. */
export function makeCall(options: ResolvedOptions, input: CallInput): Call {
  const { operation, path, query, body, expects = 'json' } = input;
  const { method, path: template } = operations[operation];
  const { headers, signal, idempotencyKey, ...limits } = resolveCallOptions(
    input.options,
    options.limits,
  );
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw new TypeError(`The request of ${operation} must be an object.`);
  }
  if (query !== undefined && (typeof query !== 'object' || query === null)) {
    throw new TypeError(`The query of ${operation} must be an object.`);
  }
  const key = method === 'POST' ? (idempotencyKey ?? randomKey()) : undefined;
  return {
    operation,
    method,
    url: createFinalURL(fillPath(options.paths[operation] ?? template, path), {
      baseUrl: options.baseUrl,
      params: { query: query ?? {} },
      querySerializer,
      pathSerializer: fillPath,
    }),
    headers: {
      ...ownHeaders(expects),
      ...options.headers,
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    expects,
    limits,
    signal,
    idempotencyKey: key,
  };
}

function ownHeaders(expects: Call['expects']): Record<string, string> {
  const agent = userAgent();
  return {
    accept:
      expects === 'stream'
        ? 'text/event-stream, application/problem+json'
        : 'application/json, application/problem+json',
    ...(agent !== undefined && { 'user-agent': agent }),
  };
}
