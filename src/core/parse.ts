import { cleanText } from '../clean-text.ts';
import type { ErrorCode } from '../errors.ts';
import type { Problem } from '../types.ts';
import type { Failure } from './failure.ts';
import { retryAfterOf } from './retry-after.ts';

/** Codes for responses without a problem document, where the status leaves no doubt. */
const codeByStatus: Readonly<Partial<Record<number, ErrorCode>>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  503: 'unavailable',
};

/** The value of a JSON text, `undefined` if it is not JSON; never throws. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The SyntaxError quotes the body, so it is not kept as a cause.
    return undefined;
  }
}

/** Whether a value is what JSON calls an object: not an array, and not a `Map` or `Headers` either. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(Symbol.iterator in value);

/** The `X-Request-Id` of a response, fit for a message. */
export const requestIdOf = ({ headers }: Response): string | undefined => {
  const id = headers.get('x-request-id');
  return id === null ? undefined : cleanText(id, 128);
};

/** A failure with the status and request id of a response. */
export function responseFailure(response: Response, code: ErrorCode, hint: string): Failure {
  return { code, status: response.status, requestId: requestIdOf(response), hint };
}

/** What is wrong with a response, and advice if something other than the service may have sent it. */
export function misplacedHint({ headers }: Response, problem: string): string {
  // The service sends its version with every response (contract, section 1).
  if (headers.has('api-version')) return problem;
  return `${problem} Check that baseUrl and paths point to the service.`;
}

/** A redirect that was not followed: following it would send the credential elsewhere. */
export function redirectFailure(response: Response, url: string): Failure {
  const target = redirectTarget(response.headers.get('location'), url);
  const hint = target
    ? `The redirect to ${target} was not followed. If that is the service, change baseUrl.`
    : 'Redirects are not followed. Check that baseUrl is the final address of the service.';
  return responseFailure(response, 'unexpected_redirect', hint);
}

/** Where a redirect leads, without user, query and fragment: they may hold secrets. */
function redirectTarget(location: string | null, url: string): string | undefined {
  try {
    const { origin, protocol, pathname } = new URL(location ?? '', url);
    if (!location || !/^https?:$/.test(protocol)) return undefined;
    return cleanText(origin + pathname);
  } catch {
    return undefined;
  }
}

/** The failure of an error status, with or without a problem document. */
export function parseFailure(response: Response, text: string): Failure {
  const { status, headers } = response;
  const body = parseJson(text);
  const problem = isProblem(body) ? body : undefined;
  const { code = codeByStatus[status] ?? 'http_error', requestId } = problem ?? {};
  const notAProblem = 'The response was not application/problem+json.';
  const isMisplaced = !problem && (status === 404 || status === 405);
  const hint = isMisplaced ? misplacedHint(response, notAProblem) : notAProblem;
  const failure = responseFailure(response, code as ErrorCode, problem ? '' : hint);
  return {
    ...failure,
    requestId:
      failure.requestId ?? (typeof requestId === 'string' ? cleanText(requestId, 128) : undefined),
    headers,
    problem,
    retryAfterMs: retryAfterOf(headers),
  };
}

function isProblem(body: unknown): body is Problem {
  const { code, errors, resetsAt } = (body ?? {}) as Record<string, unknown>;
  // The code becomes part of messages, so it must look like one.
  if (typeof code !== 'string' || !/^\w{1,64}$/.test(code)) return false;
  if (!isPrimitive(resetsAt)) return false;
  return errors === undefined || (Array.isArray(errors) && errors.every(isFieldError));
}

/** Its members become part of messages, and an object might throw when converted to a string. */
const isFieldError = (error: unknown): boolean =>
  isObject(error) && [error['pointer'], error['parameter'], error['code']].every(isPrimitive);

const isPrimitive = (value: unknown): boolean => Object(value) !== value;
