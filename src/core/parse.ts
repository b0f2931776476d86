import type { ErrorCode } from '../errors.ts';
import type { Problem } from '../types.ts';
import type { Failure } from './failure.ts';
import { parseRetryAfter } from './retry.ts';

/** Codes of answers without a problem document, where the status leaves no doubt. */
const codeByStatus: Readonly<Partial<Record<number, ErrorCode>>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  503: 'unavailable',
};

/** The value of a JSON text, or `undefined`; never throws. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The SyntaxError quotes the body, so it is not kept as a cause.
    return undefined;
  }
}

/** The `X-Request-Id` of an answer. */
export const requestIdOf = ({ headers }: Response): string | undefined =>
  headers.get('x-request-id') ?? undefined;

/** A failure of an answer. */
export const failureOf = (
  response: Response,
  code: ErrorCode,
  hint = 'Check that baseUrl and paths name the service.',
): Failure => ({
  code,
  status: response.status,
  requestId: requestIdOf(response),
  hint,
});

/** What an error status says, with or without a problem document. */
export function parseFailure(response: Response, text: string): Failure {
  const { status, headers } = response;
  const body = parseJson(text);
  const problem = isProblem(body) ? body : undefined;
  const { code = codeByStatus[status] ?? 'http_error', requestId } = problem ?? {};
  const hint = problem ? '' : 'The answer is no problem document.';
  const failure = failureOf(response, code as ErrorCode, hint);
  return {
    ...failure,
    requestId: failure.requestId ?? (typeof requestId === 'string' ? requestId : undefined),
    headers,
    problem,
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), Date.now()),
  };
}

function isProblem(body: unknown): body is Problem {
  const { code, errors, resetsAt } = (body ?? {}) as Record<string, unknown>;
  // The code goes into messages, so it must be one.
  if (typeof code !== 'string' || !/^\w{1,64}$/.test(code)) return false;
  if (!isPrimitive(resetsAt)) return false;
  return errors === undefined || (Array.isArray(errors) && errors.every(isFault));
}

/** Its members are written as text: an object may have no text. */
const isFault = (fault: unknown): boolean =>
  isObject(fault) && [fault['pointer'], fault['parameter'], fault['code']].every(isPrimitive);

const isPrimitive = (value: unknown): boolean => Object(value) !== value;

/** What JSON calls an object: no array, `Map` or `Headers` either. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(Symbol.iterator in value);
