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

/** A JSON object, or `undefined` for anything else; never throws. */
export function parseJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // The SyntaxError quotes the body, so it is not kept as a cause.
    return undefined;
  }
}

/** The `X-Request-Id` of an answer. */
export const requestIdOf = ({ headers }: Response): string | undefined =>
  headers.get('x-request-id') ?? undefined;

/** What an error status says, with or without a problem document. */
export function parseFailure(response: Response, text: string): Failure {
  const { status, headers } = response;
  const body = parseJson(text);
  const problem = isProblem(body) ? body : undefined;
  return {
    code: (problem?.code as ErrorCode | undefined) ?? codeByStatus[status] ?? 'http_error',
    status,
    headers,
    problem,
    requestId: requestIdOf(response) ?? stringOf(problem?.requestId),
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), Date.now()),
    ...(problem === undefined && { hint: 'The answer held no problem document.' }),
  };
}

function isProblem(body: object | undefined): body is Problem {
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
