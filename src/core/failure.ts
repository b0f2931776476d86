import {
  AbortedError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  type CallFacts,
  ConflictError,
  ConnectionError,
  ContentGenError,
  type ErrorCode,
  NotFoundError,
  ParseError,
  PermissionDeniedError,
  QuotaExceededError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from '../errors.ts';
import type { Problem } from '../types.ts';
import { parseRateLimit } from './rate-limit.ts';

/** Why an attempt did not succeed, as plain data: an `Error` is made for the last attempt alone. */
export interface Failure {
  readonly code: ErrorCode;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly problem?: Problem | undefined;
  /** Of an answer with an error status. */
  readonly headers?: { get(name: string): string | null };
  /** From `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
  /** What to do, for the message. */
  readonly hint?: string | undefined;
}

type ErrorClass = new (message: string, init: CallFacts & { code: ErrorCode }) => ContentGenError;

const byCode: Readonly<Partial<Record<ErrorCode, ErrorClass>>> = {
  aborted: AbortedError,
  attempt_timeout: TimeoutError,
  connection_failed: ConnectionError,
  credential_unavailable: ContentGenError,
  deadline_exceeded: TimeoutError,
  idle_timeout: TimeoutError,
  invalid_response: ParseError,
  stream_interrupted: ConnectionError,
};

const byStatus: Readonly<Partial<Record<number, typeof ApiError>>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: ValidationError,
  429: RateLimitError,
};

/** The error of a failed call: the last failure with the history of all attempts. */
export function toError(failure: Failure, call: CallFacts): ContentGenError {
  const { code, status = 0, requestId, problem, headers, retryAfterMs, hint, cause } = failure;
  const errors = problem?.errors;
  const tries = call.attempts?.length;
  const places = errors
    ?.slice(0, 3)
    .map((fault) => `${fault.pointer ?? fault.parameter} ${fault.code}`);
  const said = [
    `Failed to call ${call.operation ?? 'the service'}:`,
    ...(status ? [status] : []),
    code,
    ...(places?.length ? [`(${places.join(', ')})`] : []),
    ...(tries === undefined ? [] : [`after ${tries} attempt${tries === 1 ? '' : 's'}`]),
  ].join(' ');
  const message = `${said}${requestId ? `, request ${requestId}` : ''}.${hint ? ` ${hint}` : ''}`;
  const facts = { ...call, code, requestId, cause, status: failure.status };
  // The service's own words never choose a class of the client's own failures.
  const own = headers ? undefined : byCode[code];
  if (own) return new own(message, facts);
  const now = Date.now();
  const resetsAt = new Date(problem?.resetsAt ?? '');
  const quota = code === 'quota_exceeded';
  const Class = quota
    ? QuotaExceededError
    : (byStatus[status] ?? (status < 500 ? ApiError : ServerError));
  return new Class(message, {
    ...facts,
    problem,
    errors: status === 422 ? (errors ?? []) : undefined,
    resetsAt: quota && resetsAt.getTime() ? resetsAt : undefined,
    rateLimit: headers && parseRateLimit(headers, now),
    retryAt: retryAfterMs === undefined ? undefined : new Date(now + retryAfterMs),
  });
}
