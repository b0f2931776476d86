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
  readonly status?: number | undefined;
  readonly code: ErrorCode;
  /** How long the client waited before the next attempt, ms; 0 after the last one. */
  readonly delayMs: number;
  readonly requestId?: string | undefined;
}

/** What every error tells of its logical call. */
export interface CallFacts {
  readonly operation?: OperationId | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly requestId?: string | undefined;
  readonly attempts?: readonly AttemptRecord[] | undefined;
}

export interface ContentGenErrorInit extends CallFacts {
  readonly code: ErrorCode;
  readonly cause?: unknown;
  /** Of an `ApiError` or `ParseError`. */
  readonly status?: number | undefined;
  /** Of an `ApiError`, these three. */
  readonly problem?: Problem | undefined;
  readonly retryAt?: Date | undefined;
  readonly rateLimit?: RateLimitFacts | undefined;
  /** Of a `ValidationError`. */
  readonly errors?: readonly FieldError[] | undefined;
  /** Of a `QuotaExceededError`. */
  readonly resetsAt?: Date | undefined;
  /** Of a `GenerationFailedError`. */
  readonly generation?: GenerationFailedError['generation'] | undefined;
}

const brand = Symbol.for('contentgen.error');

/** Misuse is no `ContentGenError`. */
export const refuse = (message: string): never => {
  throw new TypeError(message);
};

/** A copy without what is undefined. */
export const defined = <T extends object>(from: T): Defined<T> =>
  Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined)) as Defined<T>;

export type Defined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

/** Base of every error of this package; `code` says which. Misuse throws a `TypeError` instead. */
export class ContentGenError extends Error {
  static override readonly name: string = 'ContentGenError';
  declare readonly code: ErrorCode;
  /** The operation of the call. */
  declare readonly operation?: OperationId;
  /** The `Idempotency-Key` of the call: give it as an option to send the same call again safely. */
  declare readonly idempotencyKey?: string;
  /** The `X-Request-Id` of the last answer. */
  declare readonly requestId?: string;
  /** The failed attempts, oldest first. */
  declare readonly attempts: readonly AttemptRecord[];

  constructor(message: string, init: ContentGenErrorInit) {
    const { cause, ...facts } = init;
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, { name: new.target.name, attempts: [] }, defined(facts));
  }

  get [brand](): 'error' | 'api' {
    return 'error';
  }

  /** The error as plain data, safe to log: no credential, prompt, body or free text of the service. */
  toJSON(): Record<string, unknown> {
    const { problem, errors, generation, ...facts } = this as ContentGenErrorInit;
    const { cause, message } = this;
    return {
      ...facts,
      message,
      problem: pick(problem, 'type', 'title'),
      errors: errors?.map((fault) => pick(fault, 'pointer', 'parameter', 'code')),
      generation: generation && {
        ...pick(generation, 'requestId', 'status'),
        error: generation.error?.code,
      },
      cause: pick(cause, 'name', 'code'),
    };
  }
}

const pick = (from: unknown, ...names: string[]): object | undefined =>
  from ? Object.fromEntries(names.map((name) => [name, Object(from)[name]])) : undefined;

/** The service answered with an error status. */
export class ApiError extends ContentGenError {
  static override readonly name: string = 'ApiError';
  declare readonly status: number;
  /** The problem document; absent when the answer held none. */
  declare readonly problem?: Problem;
  /** When the service takes the next try, from `Retry-After`. */
  declare readonly retryAt?: Date;
  /** What the rate limit headers said. */
  declare readonly rateLimit?: RateLimitFacts;

  override get [brand](): 'error' | 'api' {
    return 'api';
  }
}

/** 400: the request cannot be read. */
export class BadRequestError extends ApiError {
  static override readonly name = 'BadRequestError';
}
/** 401: the credential is missing, invalid, revoked or expired. */
export class AuthenticationError extends ApiError {
  static override readonly name = 'AuthenticationError';
}
/** 403: the role of the credential does not allow the operation. */
export class PermissionDeniedError extends ApiError {
  static override readonly name = 'PermissionDeniedError';
}
/** 404: no such record in the project. */
export class NotFoundError extends ApiError {
  static override readonly name = 'NotFoundError';
}
/** 409: the record's state, or a call under the same idempotency key, forbids it now. */
export class ConflictError extends ApiError {
  static override readonly name = 'ConflictError';
}
/** 422: `errors[].pointer` names each faulty field. */
export class ValidationError extends ApiError {
  static override readonly name = 'ValidationError';
  declare readonly errors: readonly FieldError[];
}
/** 429: too many requests for now; `retryAt` says when to try again. */
export class RateLimitError extends ApiError {
  static override readonly name = 'RateLimitError';
}
/** 429 `quota_exceeded`: no retry helps before `resetsAt`. */
export class QuotaExceededError extends ApiError {
  static override readonly name = 'QuotaExceededError';
  /** The start of the next period. */
  declare readonly resetsAt?: Date;
}
/** 5xx: the service failed. */
export class ServerError extends ApiError {
  static override readonly name = 'ServerError';
}

/** No whole answer arrived: DNS, connection, TLS, or a connection lost on the way. `cause` is the fault of `fetch`. */
export class ConnectionError extends ContentGenError {
  static override readonly name = 'ConnectionError';
}
/** `code` says which limit passed: `attempt_timeout`, `idle_timeout` or `deadline_exceeded`. */
export class TimeoutError extends ContentGenError {
  static override readonly name = 'TimeoutError';
}
/** The caller's signal ended the call; `cause` is the signal's reason. */
export class AbortedError extends ContentGenError {
  static override readonly name = 'AbortedError';
}
/** A successful status, but an answer that is not what the contract says (`invalid_response`). */
export class ParseError extends ContentGenError {
  static override readonly name = 'ParseError';
  declare readonly status?: number;
}
/** The generation ended as `failed` or `canceled`; thrown by `wait` and `stream`. */
export class GenerationFailedError extends ContentGenError {
  static override readonly name = 'GenerationFailedError';
  /** The generation, or the callback's payload, as far as it is known. */
  declare readonly generation: { requestId?: string; status?: string; error?: GenerationFailure };
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

const brandOf = (error: unknown): unknown => (Object(error) as { [brand]?: unknown })[brand];

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
