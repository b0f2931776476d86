import { operations } from '../generated/operations.ts';
import { type CallOptions, type ResolvedOptions, resolveCallOptions } from '../options.ts';
import type { OperationId } from '../types.ts';
import type { Call } from './attempt.ts';
import { fillPath } from './path.ts';
import { randomKey, userAgent } from './runtime.ts';

/** What a resource method hands over. */
export interface CallInput {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  readonly body?: object | null | undefined;
  readonly expects?: Call['expects'];
}

/** Makes the call of a resource method: address, headers, body and idempotency key are fixed here, once. */
export function makeCall(
  options: ResolvedOptions,
  operation: OperationId,
  callOptions: CallOptions | undefined,
  { path, query = {}, body, expects = 'json' }: CallInput,
): Call {
  const { method, path: template } = operations[operation];
  const { headers, signal, idempotencyKey, ...limits } = resolveCallOptions(
    callOptions,
    options.limits,
  );
  for (const part of [query, body === undefined ? {} : body]) {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) {
      throw new TypeError(`The request of ${operation} must be an object.`);
    }
    if ('stream' in part && expects !== 'stream') {
      throw new TypeError('A stream is asked for by content.stream().');
    }
  }
  const key =
    method === 'POST' ? (idempotencyKey ?? headers?.['idempotency-key'] ?? randomKey()) : undefined;
  return {
    operation,
    method,
    url:
      options.baseUrl + fillPath(options.paths[operation] ?? template, path) + queryString(query),
    headers: {
      accept: `${expects === 'stream' ? 'text/event-stream' : 'application/json'}, application/problem+json`,
      ...userAgent(),
      ...options.headers,
      ...headers,
      ...(body && { 'content-type': 'application/json' }),
      ...(key && { 'idempotency-key': key }),
    },
    body: body ? JSON.stringify(body) : undefined,
    expects,
    limits,
    signal,
    idempotencyKey: key,
  };
}

function queryString(query: object): string {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}
