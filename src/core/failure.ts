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
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly problem?: Problem | undefined;
  readonly headers?: { get(name: string): string | null };
  /** From `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
  /** What to do, for the message. */
  readonly hint?: string;
  readonly error?: ContentGenError;
}

const byStatus: Readonly<Partial<Record<number, typeof ApiError>>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: ValidationError,
  429: RateLimitError,
};

const hints: Readonly<Partial<Record<ErrorCode, string>>> = {
  attempt_timeout: 'No answer within timeout.',
  idle_timeout: 'The answer stalled for longer than idleTimeout.',
  deadline_exceeded: 'The deadline of the call passed.',
  quota_exceeded: 'No retry helps before resetsAt.',
  unexpected_redirect:
    'Redirects are not followed, they would carry the credential: correct baseUrl or paths.',
};

/** The error of a failed call: the last failure with the history of all attempts. */
export function toError(failure: Failure, call: CallFacts): ContentGenError {
  if (failure.error) return failure.error;
  const { code, status, requestId, cause } = failure;
  const facts = {
    ...call,
    code,
    ...(requestId !== undefined && { requestId }),
    ...(cause !== undefined && { cause }),
  };
  const message = describe(failure, call);
  switch (code) {
    case 'aborted':
      return new AbortedError(message, facts);
    case 'connection_failed':
    case 'stream_interrupted':
      return new ConnectionError(message, facts);
    case 'attempt_timeout':
    case 'idle_timeout':
    case 'deadline_exceeded':
      return new TimeoutError(message, facts);
    case 'invalid_response':
      return new ParseError(message, { ...facts, ...(status !== undefined && { status }) });
    case 'credential_unavailable':
      return new ContentGenError(message, facts);
  }
  const { problem, headers, retryAfterMs } = failure;
  const now = Date.now();
  const rateLimit = headers && parseRateLimit(headers, now);
  const init = {
    ...facts,
    status: status ?? 0,
    ...(problem && { problem }),
    ...(rateLimit && { rateLimit }),
    ...(retryAfterMs !== undefined && { retryAt: new Date(now + retryAfterMs) }),
  };
  if (code === 'quota_exceeded') return new QuotaExceededError(message, init);
  const Class = byStatus[init.status] ?? (init.status >= 500 ? ServerError : ApiError);
  return new Class(message, init);
}

function describe(failure: Failure, call: CallFacts): string {
  const { code, status, requestId, problem } = failure;
  const tries = call.attempts?.length ?? 0;
  const places = problem?.errors
    ?.slice(0, 3)
    .map((fault) => `${fault.pointer ?? fault.parameter ?? ''} ${fault.code}`.trim())
    .join(', ');
  const parts = [
    `Failed to call ${call.operation ?? 'the service'}: ${status ? `${status} ` : ''}${code}`,
    ...(places ? [` (${places})`] : []),
    ` after ${tries} attempt${tries === 1 ? '' : 's'}`,
    ...(requestId === undefined ? [] : [`, request ${requestId}`]),
    '.',
  ];
  const hint = failure.hint ?? hints[code];
  return parts.join('') + (hint ? ` ${hint}` : '');
}
