import type { CallOptions, ResolvedOptions } from '../options.ts';
import type { OperationId } from '../types.ts';
import { randomKey } from './runtime.ts';

/** A request as openapi-fetch built it. */
export interface RequestParts {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: BodyInit | null | undefined;
  readonly signal?: AbortSignal | null | undefined;
}

/** What a call is, apart from its request. */
export interface CallSettings extends Pick<CallOptions, 'timeout' | 'deadline' | 'maxRetries'> {
  readonly operation: OperationId | undefined;
  /** Headers with a lower priority than those of the request. */
  readonly defaultHeaders?: Readonly<Record<string, string>> | undefined;
  /** Whether the body of a 2xx response matches the contract; `body` is its JSON value. */
  readonly isValidBody: (body: unknown, text: string) => boolean;
  /** Content types that are read as a stream. */
  readonly streamTypes?: RegExp | undefined;
  /** Return responses with an error status instead of throwing, as `client.http` does. */
  readonly returnErrorResponses?: boolean | undefined;
}

/** One logical call, ready to be sent any number of times under one idempotency key. */
export interface Call {
  readonly options: ResolvedOptions;
  readonly operation: OperationId | undefined;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: BodyInit | undefined;
  readonly signal: AbortSignal | undefined;
  /** POST only. */
  readonly idempotencyKey: string | undefined;
  readonly timeout: number;
  readonly deadline: number;
  readonly maxRetries: number;
  readonly isValidBody: CallSettings['isValidBody'];
  readonly streamTypes: RegExp | undefined;
  readonly returnErrorResponses: boolean;
}

/** Makes a call ready: applies the client's defaults and adds an idempotency key to every POST. */
export function prepareCall(
  options: ResolvedOptions,
  request: RequestParts,
  settings: CallSettings,
): Call {
  const { url, method } = request;
  const headers = { ...settings.defaultHeaders, ...Object.fromEntries(request.headers) };
  if (method === 'POST') headers['idempotency-key'] ||= randomKey();
  return {
    options,
    operation: settings.operation,
    method,
    url,
    headers,
    body: request.body ?? undefined,
    signal: request.signal ?? undefined,
    idempotencyKey: method === 'POST' ? headers['idempotency-key'] : undefined,
    timeout: settings.timeout ?? options.timeout,
    deadline: settings.deadline ?? options.deadline,
    maxRetries: settings.maxRetries ?? options.maxRetries,
    isValidBody: settings.isValidBody,
    streamTypes: settings.streamTypes,
    returnErrorResponses: settings.returnErrorResponses ?? false,
  };
}
