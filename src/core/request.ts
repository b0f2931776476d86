import type { CallOptions, CallStart, ResolvedOptions } from '../options.ts';
import type { OperationId } from '../types.ts';
import { assertNoCredential, assertOption, idempotencyKey } from './option-rules.ts';
import { randomKey } from './runtime.ts';

/** A request as openapi-fetch built it. */
export interface RequestParts {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: BodyInit | null | undefined;
  readonly signal?: AbortSignal | null | undefined;
}

/** Everything about a call except its request. */
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
  readonly isKeyGenerated: boolean;
  readonly timeout: number;
  readonly deadline: number;
  readonly maxRetries: number;
  readonly isValidBody: CallSettings['isValidBody'];
  readonly streamTypes: RegExp | undefined;
  readonly returnErrorResponses: boolean;
}

/** A generation may take minutes; everything else is a look-up. */
const defaultTimeout = (operation: OperationId | undefined): number =>
  operation === 'generateContent' ? 600_000 : 60_000;

/**
 * Prepares a call: applies the client's defaults and adds an idempotency key to every POST.
 * @throws TypeError for a credential or an invalid idempotency key among the headers
 */
export function prepareCall(
  options: ResolvedOptions,
  request: RequestParts,
  settings: CallSettings,
): Call {
  const { url, method } = request;
  const headers = { ...settings.defaultHeaders, ...Object.fromEntries(request.headers) };
  assertNoCredential(headers, options.credential.header, 'Use client.withOptions({ apiKey }).');
  const isKeyGenerated = method === 'POST' && headers['idempotency-key'] === undefined;
  if (method === 'POST') {
    headers['idempotency-key'] ??= randomKey();
    assertOption('Idempotency-Key', headers['idempotency-key'], idempotencyKey);
  }
  return {
    options,
    operation: settings.operation,
    method,
    url,
    headers,
    body: request.body ?? undefined,
    signal: request.signal ?? undefined,
    idempotencyKey: method === 'POST' ? headers['idempotency-key'] : undefined,
    isKeyGenerated,
    timeout: settings.timeout ?? options.timeout ?? defaultTimeout(settings.operation),
    deadline: settings.deadline ?? options.deadline,
    maxRetries: settings.maxRetries ?? options.maxRetries,
    isValidBody: settings.isValidBody,
    streamTypes: settings.streamTypes,
    returnErrorResponses: settings.returnErrorResponses ?? false,
  };
}

const starts = new WeakMap<Call, CallStart>();

/** What middleware learns about a call: the same object for all its attempts. */
export function callStart(call: Call): CallStart {
  let start = starts.get(call);
  if (!start) {
    const { operation, method, url, idempotencyKey, isKeyGenerated, body } = call;
    const text = typeof body === 'string' ? body : undefined;
    start = Object.freeze({ operation, method, url, idempotencyKey, isKeyGenerated, body: text });
    starts.set(call, start);
  }
  return start;
}
