import type { ProblemCode as GeneratedProblemCode } from './generated/operations.ts';
import type {
  ErrorStatus,
  FieldError,
  OperationId,
  Problem,
  ProblemOf,
  RateLimitFacts,
} from './types.ts';

/** A code that the service puts into its problem documents. */
export type ProblemCode = GeneratedProblemCode | 'method_not_allowed' | 'quota_exceeded';

/** A code that the client makes itself. */
export type ClientErrorCode =
  | 'aborted'
  | 'attempt_timeout'
  | 'connection_failed'
  | 'credential_unavailable'
  | 'deadline_exceeded'
  | 'generation_canceled'
  | 'generation_failed'
  | 'http_error'
  | 'idle_timeout'
  | 'invalid_response'
  | 'stream_interrupted'
  | 'unexpected_redirect';

/**
 * Every code of an error. A code that a later version of the service adds arrives verbatim, though this type does not
 * list it: keep a default branch.
 */
export type ErrorCode = ProblemCode | ClientErrorCode;

/** One attempt of a logical call that did not succeed. */
export interface AttemptRecord {
  /** Status of the answer; absent when none came. */
  readonly status?: number;
  readonly code: ErrorCode;
  /** How long the client waited before the next attempt, ms; 0 after the last one. */
  readonly delayMs: number;
  readonly requestId?: string;
}

/** What every error tells of its logical call. */
export interface CallFacts {
  readonly operation?: OperationId;
  readonly idempotencyKey?: string;
  readonly requestId?: string;
  readonly attempts?: readonly AttemptRecord[];
}

export interface ContentGenErrorInit extends CallFacts {
  readonly code: ErrorCode;
  readonly cause?: unknown;
}

const brand = Symbol.for('contentgen.error');

/** Base of every error of this package; `code` says which. Misuse throws a `TypeError` instead. */
export class ContentGenError extends Error {
  protected static readonly errorName: string = 'ContentGenError';
  readonly code: ErrorCode;
  /** The operation of the call. */
  readonly operation: OperationId | undefined;
  /** The `Idempotency-Key` of the call: give it as an option to send the same call again safely. */
  readonly idempotencyKey: string | undefined;
  /** The `X-Request-Id` of the last answer. */
  readonly requestId: string | undefined;
  /** The failed attempts, oldest first. */
  readonly attempts: readonly AttemptRecord[];

  constructor(message: string, init: ContentGenErrorInit) {
    super(message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = new.target.errorName;
    this.code = init.code;
    this.operation = init.operation;
    this.idempotencyKey = init.idempotencyKey;
    this.requestId = init.requestId;
    this.attempts = init.attempts ?? [];
  }

  get [brand](): 'error' | 'api' {
    return 'error';
  }

  /** The error as plain data, safe to log: no credential, prompt, body or free text of the service. */
  toJSON(): Record<string, unknown> {
    const { name, message, code, operation, requestId, idempotencyKey, attempts } = this;
    const cause = this.cause instanceof Error ? this.cause : undefined;
    return {
      name,
      message,
      code,
      operation,
      requestId,
      idempotencyKey,
      attempts,
      ...(cause && { cause: { name: cause.name, code: (cause as { code?: unknown }).code } }),
    };
  }
}

export interface ApiErrorInit extends ContentGenErrorInit {
  readonly status: number;
  readonly problem?: Problem;
  readonly retryAt?: Date;
  readonly rateLimit?: RateLimitFacts;
}

/** The service answered with an error status. */
export class ApiError extends ContentGenError {
  protected static override readonly errorName: string = 'ApiError';
  readonly status: number;
  /** The problem document; absent when the answer held none. */
  readonly problem: Problem | undefined;
  /** When the service takes the next try, from `Retry-After`. */
  readonly retryAt: Date | undefined;
  /** What the rate limit headers said. */
  readonly rateLimit: RateLimitFacts | undefined;

  constructor(message: string, init: ApiErrorInit) {
    super(message, init);
    this.status = init.status;
    this.problem = init.problem;
    this.retryAt = init.retryAt;
    this.rateLimit = init.rateLimit;
  }

  override get [brand](): 'error' | 'api' {
    return 'api';
  }

  override toJSON(): Record<string, unknown> {
    const { status, problem, retryAt, rateLimit } = this;
    const errors = problem?.errors?.map(({ pointer, parameter, code }) => ({
      pointer,
      parameter,
      code,
    }));
    return {
      ...super.toJSON(),
      status,
      problem: problem && { type: problem.type, title: problem.title, errors },
      retryAt,
      rateLimit,
    };
  }
}

/** 400: the request cannot be read. */
export class BadRequestError extends ApiError {
  protected static override readonly errorName = 'BadRequestError';
}
/** 401: the credential is missing, invalid, revoked or expired. */
export class AuthenticationError extends ApiError {
  protected static override readonly errorName = 'AuthenticationError';
}
/** 403: the role of the credential does not allow the operation. */
export class PermissionDeniedError extends ApiError {
  protected static override readonly errorName = 'PermissionDeniedError';
}
/** 404: no such record in the project. */
export class NotFoundError extends ApiError {
  protected static override readonly errorName = 'NotFoundError';
}
/** 409: the record's state, or a call under the same idempotency key, forbids it now. */
export class ConflictError extends ApiError {
  protected static override readonly errorName = 'ConflictError';
}
/** 422: `errors[].pointer` names each faulty field. */
export class ValidationError extends ApiError {
  protected static override readonly errorName = 'ValidationError';
  readonly errors: readonly FieldError[];
  constructor(message: string, init: ApiErrorInit) {
    super(message, init);
    this.errors = init.problem?.errors ?? [];
  }
}
/** 429: too many requests for now; `retryAt` says when to try again. */
export class RateLimitError extends ApiError {
  protected static override readonly errorName = 'RateLimitError';
}
/** 429 `quota_exceeded`: no retry helps before `resetsAt`. */
export class QuotaExceededError extends ApiError {
  protected static override readonly errorName = 'QuotaExceededError';
  /** The start of the next period. */
  readonly resetsAt: Date | undefined;
  constructor(message: string, init: ApiErrorInit) {
    super(message, init);
    const resetsAt = new Date(init.problem?.resetsAt ?? Number.NaN);
    this.resetsAt = Number.isNaN(resetsAt.getTime()) ? undefined : resetsAt;
  }
  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), resetsAt: this.resetsAt };
  }
}
/** 5xx: the service failed. */
export class ServerError extends ApiError {
  protected static override readonly errorName = 'ServerError';
}

/** No whole answer arrived: DNS, connection, TLS, or a connection lost on the way. `cause` is the fault of `fetch`. */
export class ConnectionError extends ContentGenError {
  protected static override readonly errorName = 'ConnectionError';
}
/** `code` says which limit passed: `attempt_timeout`, `idle_timeout` or `deadline_exceeded`. */
export class TimeoutError extends ContentGenError {
  protected static override readonly errorName = 'TimeoutError';
}
/** The caller's signal ended the call; `cause` is the signal's reason. */
export class AbortedError extends ContentGenError {
  protected static override readonly errorName = 'AbortedError';
}
/** A successful status, but an answer that is not what the contract says (`invalid_response`). */
export class ParseError extends ContentGenError {
  protected static override readonly errorName = 'ParseError';
  readonly status: number | undefined;
  constructor(message: string, init: ContentGenErrorInit & { readonly status?: number }) {
    super(message, init);
    this.status = init.status;
  }
  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), status: this.status };
  }
}
/** The generation ended as `failed` or `canceled`; thrown by `wait` and `stream`. */
export class GenerationFailedError extends ContentGenError {
  protected static override readonly errorName = 'GenerationFailedError';
  /** The generation, or the callback's payload, as far as it is known. */
  readonly generation: { requestId?: string; status?: string; error?: GenerationFailure };
  constructor(
    message: string,
    init: ContentGenErrorInit & { readonly generation: GenerationFailedError['generation'] },
  ) {
    super(message, init);
    this.generation = init.generation;
  }
  override toJSON(): Record<string, unknown> {
    const { requestId, status, error } = this.generation;
    return { ...super.toJSON(), generation: { requestId, status, error: error?.code } };
  }
}
/** Why a generation failed. */
export interface GenerationFailure {
  code: string;
  message: string;
}

interface ErrorsByStatus {
  400: BadRequestError;
  401: AuthenticationError;
  403: PermissionDeniedError;
  404: NotFoundError;
  409: ConflictError;
  422: ValidationError;
  429: RateLimitError | QuotaExceededError;
  500: ServerError;
  503: ServerError;
}

/** The error of an operation under a status, with the problem document that the contract says. */
export type ApiErrorOf<Id extends OperationId, Status extends ErrorStatus<Id>> = {
  [S in Status]: (S extends keyof ErrorsByStatus ? ErrorsByStatus[S] : ApiError) & {
    readonly operation: Id;
    readonly status: S;
    readonly code: ProblemOf<Id, S> extends { code: infer Code } ? Code : never;
    readonly problem: ProblemOf<Id, S>;
  };
}[Status];

const brandOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null ? (error as { [brand]?: unknown })[brand] : undefined;

/** Whether this is an error of this package; true across duplicate copies of it, where `instanceof` is not. */
export function isContentGenError(error: unknown): error is ContentGenError {
  return brandOf(error) !== undefined;
}

/**
 * Whether the service answered with an error; with an operation and status, narrows to that problem document.
 * @example if (isApiError(error, 'generateContent', 422)) console.log(error.errors[0]?.pointer);
 */
export function isApiError(error: unknown): error is ApiError;
export function isApiError<
  Id extends OperationId,
  Status extends ErrorStatus<Id> = ErrorStatus<Id>,
>(error: unknown, operation: Id, status?: Status): error is ApiErrorOf<Id, Status>;
export function isApiError(error: unknown, operation?: OperationId, status?: number): boolean {
  if (brandOf(error) !== 'api') return false;
  const candidate = error as ApiError;
  if (operation === undefined) return true;
  return (
    candidate.operation === operation &&
    candidate.problem !== undefined &&
    (status === undefined || candidate.status === status)
  );
}
