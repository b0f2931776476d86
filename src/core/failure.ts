import {
  AbortedError,
  ApiError,
  type AttemptRecord,
  AuthenticationError,
  BadRequestError,
  type CallFacts,
  ConflictError,
  ConnectionError,
  ContentGenError,
  type ContentGenErrorInit,
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

type ErrorClass = new (message: string, init: ContentGenErrorInit) => ContentGenError;

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

const byStatus: Readonly<Partial<Record<number, ErrorClass>>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: ValidationError,
  429: RateLimitError,
};

/** The error of a failed call: the last failure with the history of all attempts. */
export function toError(
  failure: Failure,
  { operation, idempotencyKey }: Pick<CallFacts, 'operation' | 'idempotencyKey'>,
  attempts?: readonly AttemptRecord[],
): ContentGenError {
  const { headers, retryAfterMs, hint, ...facts } = failure;
  const { code, status = 0, requestId, problem } = facts;
  const errors = problem?.errors;
  const places = errors
    ?.slice(0, 3)
    .map((fault) => `${fault.pointer ?? fault.parameter} ${fault.code}`)
    .join(', ');
  const tries = attempts?.length;
  const message = [
    `Failed to call ${operation ?? 'the service'}:`,
    status && ` ${status}`,
    ` ${code}`,
    places && ` (${places})`,
    tries && ` after ${tries} attempt${tries > 1 ? 's' : ''}`,
    requestId && `, request ${requestId}`,
    '.',
    hint && ` ${hint}`,
  ];
  const now = Date.now();
  const resetsAt = new Date(problem?.resetsAt ?? '');
  const quota = code === 'quota_exceeded';
  const Class =
    // The service's own words never choose a class of the client's own failures.
    (!headers && byCode[code]) ||
    (quota && QuotaExceededError) ||
    (byStatus[status] ?? (status >= 500 ? ServerError : ApiError));
  return new Class(message.filter(Boolean).join(''), {
    ...facts,
    operation,
    idempotencyKey,
    attempts,
    errors: Class === ValidationError ? (errors ?? []) : undefined,
    resetsAt: quota && resetsAt.getTime() ? resetsAt : undefined,
    rateLimit: headers && parseRateLimit(headers, now),
    retryAt: retryAfterMs === undefined ? undefined : new Date(now + retryAfterMs),
  });
}
