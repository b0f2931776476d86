import { cleanText, cleanWord, safePointer } from './clean-text.ts';
import type { ProblemCode as GeneratedProblemCode } from './generated/operations.ts';
import { defined } from './options/values.ts';
import type {
  ErrorStatus,
  FailedGeneration,
  FieldError,
  OperationId,
  Problem,
  ProblemOf,
  RateLimitFacts,
} from './types.ts';

/** A code that the service sends in a problem document. */
export type ProblemCode = GeneratedProblemCode | 'method_not_allowed' | 'quota_exceeded';

/** A code that the client sets itself. */
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
  | 'operation_absent'
  | 'response_too_large'
  | 'stream_diverged'
  | 'stream_interrupted'
  | 'unexpected_error'
  | 'unexpected_redirect';

/**
 * The code of an error. A later version of the service may send codes that this type does not list; they are passed on
 * as they are, so keep a default branch.
 */
export type ErrorCode = ProblemCode | ClientErrorCode;

/** A failed attempt of a call. */
export interface AttemptRecord {
  /** Status of the response; absent if there was none. */
  readonly status?: number | undefined;
  /** Why it failed. */
  readonly code: ErrorCode;
  /** How long the client waited before the next attempt, ms; 0 after the last one. */
  readonly delayMs: number;
  /** The `X-Request-Id` of the response. */
  readonly requestId?: string | undefined;
}

/** Why a connection failed or broke, as far as the runtime reports it. Browsers report nothing. */
export type ConnectionFailureReason =
  | 'corrupt'
  | 'dns'
  | 'proxy'
  | 'refused'
  | 'reset'
  | 'timeout'
  | 'tls'
  | 'unreachable';

type Facts<Error, Name extends keyof Error> = {
  readonly [Fact in Name]?: Error[Fact] | undefined;
};

/** The details of a call that every error carries. */
export interface CallFacts
  extends Facts<
    ContentGenError,
    'operation' | 'idempotencyKey' | 'requestId' | 'generationId' | 'attempts'
  > {}

/** The details of an error, as passed to its constructor. */
export interface ContentGenErrorInit
  extends CallFacts,
    Facts<ApiError, 'status' | 'problem' | 'retryAt' | 'rateLimit' | 'body'>,
    Facts<ConnectionError, 'reason'>,
    Facts<ValidationError, 'errors'>,
    Facts<QuotaExceededError, 'resetsAt'>,
    Facts<GenerationFailedError, 'generation'> {
  /** Says which error it is. */
  readonly code: ErrorCode;
  /** What caused the error. */
  readonly cause?: unknown;
}

// Looked up, not kept: bundlers drop the classes of an application that uses only `isApiError`.
const brand = () => Symbol.for('contentgen.error');
/** Lets the error be recognized across copies of the package. */
const mark = (error: ContentGenError, value: 'error' | 'api') =>
  void Object.defineProperty(error, brand(), { value, configurable: true });

/** In a message, what follows is what the service says. */
const SAYS = ' The service says: ';

/** What the service says about an error, as the end of a message; empty if it says nothing. */
export function detailOf(
  {
    problem,
    generation,
    status = 0,
    body,
  }: Pick<ContentGenErrorInit, 'problem' | 'generation' | 'status' | 'body'>,
  clean = (text: string): string => text,
): string {
  const foreign = status >= 400 && !problem ? messageIn(body) : Object(problem).message;
  const detail: unknown = problem?.detail ?? generation?.error?.message ?? foreign;
  return typeof detail === 'string' && detail
    ? `${SAYS}${cleanText(clean(detail.slice(0, 2000)), 300)}`
    : '';
}

/** Where services put the message of an error. */
const places = ['message', 'msg', 'detail', 'description', 'error_description', 'error', 'title'];

/** The message of an error body that is no problem document, if there is exactly one place where it can be. */
function messageIn(body: unknown): string | undefined {
  const { error, errors } = Object(body);
  const found = [body, error, Object(errors)[0]].flatMap((part) =>
    Object(part) === part ? places.map((name) => part[name]) : [],
  );
  const [only, another] = found.filter((text) => typeof text === 'string' && text !== '');
  return another === undefined ? only : undefined;
}

// Facts are `declare`d rather than initialized: an unknown one is an absent property, so a printed error has no
// `undefined` rows.

/**
 * Base class of every error of this package; `code` says which one. Misuse throws a `TypeError` instead. The message
 * ends with what the service says about an error; `toJSON()`, for logs, leaves it out.
 */
export class ContentGenError extends Error {
  static override readonly name: string = 'ContentGenError';
  /** Says which error this is. */
  declare readonly code: ErrorCode;
  /** The operation that was called. */
  declare readonly operation?: OperationId;
  /** The idempotency key of the call. Pass it as an option to repeat the same call safely. */
  declare readonly idempotencyKey?: string;
  /** The `X-Request-Id` of the last response. */
  declare readonly requestId?: string;
  /** The `requestId` of the generation that a stream or a wait was about, once it is known. */
  declare readonly generationId?: string;
  /** The failed attempts, oldest first. */
  declare readonly attempts: readonly AttemptRecord[];

  constructor(message: string, init: ContentGenErrorInit) {
    const { cause, body, ...facts } = init;
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    Object.assign(this, { attempts: [], ...defined(facts) });
    mark(this, 'error');
    // Not enumerable: it can hold a secret, and errors are printed.
    if (body !== undefined) Object.defineProperty(this, 'body', { value: body });
  }

  /** The error as plain data. Safe to log: no credential, prompt, body or free text from the service. */
  toJSON(): Record<string, unknown> {
    const { problem, errors, generation, ...facts } = this as ContentGenErrorInit;
    const { cause } = this;
    const [message] = this.message.split(SAYS, 1);
    return {
      ...facts,
      message,
      problem: pick(problem, 'type'),
      errors: errors?.map((field) => ({
        ...pick(field, 'parameter', 'code'),
        pointer: safePointer(field.pointer),
      })),
      generation: generation && {
        ...pick(generation, 'requestId', 'status'),
        error: cleanWord(generation.error?.code),
      },
      cause: pick(cause, 'name', 'code'),
    };
  }
}

/** The named properties of an object, safe to log; `undefined` for a missing object. */
const pick = (from: unknown, ...names: string[]): object | undefined =>
  from ? Object.fromEntries(names.map((name) => [name, cleanWord(Object(from)[name])])) : undefined;

/** The service responded with an error status. */
export class ApiError extends ContentGenError {
  static override readonly name: string = 'ApiError';
  /** The HTTP status. */
  declare readonly status: number;
  /** The problem document; absent if the response had none. */
  declare readonly problem?: Problem;
  /** When to retry, from `Retry-After`. */
  declare readonly retryAt?: Date;
  /** The `RateLimit` headers. */
  declare readonly rateLimit?: RateLimitFacts;
  /**
   * The body of a response that was no problem document: its JSON value, or its text. Neither printed nor part of
   * `toJSON()`.
   */
  declare readonly body?: unknown;

  constructor(message: string, init: ContentGenErrorInit) {
    super(message, init);
    mark(this, 'api');
  }
}

/** 400: the request is malformed. */
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
/** 404: the project has no such record. */
export class NotFoundError extends ApiError {
  static override readonly name = 'NotFoundError';
}
/** 409: the record's state, or another call with the same idempotency key, does not allow it now. */
export class ConflictError extends ApiError {
  static override readonly name = 'ConflictError';
}
/** 422: `errors[].pointer` names each invalid field. */
export class ValidationError extends ApiError {
  static override readonly name = 'ValidationError';
  /** The invalid fields and query parameters. */
  declare readonly errors: readonly FieldError[];
}
/** 429: too many requests; `retryAt` says when to retry. */
export class RateLimitError extends ApiError {
  static override readonly name = 'RateLimitError';
}
/** 429 `quota_exceeded`: the monthly quota is used up until `resetsAt`. */
export class QuotaExceededError extends ApiError {
  static override readonly name = 'QuotaExceededError';
  /** The start of the next quota period. */
  declare readonly resetsAt?: Date;
}
/** 5xx: the service failed. */
export class ServerError extends ApiError {
  static override readonly name = 'ServerError';
}

/**
 * No complete response arrived: DNS, connection or TLS failed, or the connection was lost. `reason` and the message say
 * which; `cause` is what `fetch` threw. After an untrusted certificate, the call is not retried.
 */
export class ConnectionError extends ContentGenError {
  static override readonly name = 'ConnectionError';
  /** What failed; absent if the runtime does not report it, as in browsers. */
  declare readonly reason?: ConnectionFailureReason;
}
/** `operation_absent`: the deployment file says that the operation does not exist. Nothing was sent. */
export class OperationAbsentError extends ContentGenError {
  static override readonly name = 'OperationAbsentError';
}
/** A time limit passed; `code` says which: `attempt_timeout`, `idle_timeout` or `deadline_exceeded`. */
export class TimeoutError extends ContentGenError {
  static override readonly name = 'TimeoutError';
}
/** The caller's signal aborted the call; `cause` is the signal's reason. */
export class AbortedError extends ContentGenError {
  static override readonly name = 'AbortedError';
}
/** `invalid_response`: a 2xx response that doesn't match the contract; `response_too_large`: one longer than `maxResponseBytes`. */
export class ParseError extends ContentGenError {
  static override readonly name = 'ParseError';
  /** The HTTP status. */
  declare readonly status?: number;
  /**
   * The body of an `invalid_response`: its JSON value, or its text. It can hold a key that is shown only once, so it is
   * neither printed nor part of `toJSON()`.
   */
  declare readonly body?: unknown;
}
/** The generation failed or was canceled; thrown by `generate`, `wait` and `stream`. */
export class GenerationFailedError extends ContentGenError {
  static override readonly name = 'GenerationFailedError';
  /** The generation, or as much of it as the callback's payload contains. */
  declare readonly generation: {
    /** Identifier of the generation. */
    requestId?: string;
    /** `failed` or `canceled`. */
    status?: string;
    /** Why it failed. */
    error?: GenerationFailure | undefined;
  };
}
/** Why a generation failed. */
export type GenerationFailure = FailedGeneration['error'];

/** The class of each error status that has its own. */
export const classByStatus = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: ValidationError,
  429: RateLimitError,
  500: ServerError,
  503: ServerError,
};

type ErrorOfStatus<Status> = Status extends 429
  ? RateLimitError | QuotaExceededError
  : Status extends keyof typeof classByStatus
    ? InstanceType<(typeof classByStatus)[Status]>
    : ApiError;

/**
 * The error that an operation throws for a status, typed with the problem document that the contract defines for it.
 */
export type ApiErrorOf<Id extends OperationId, Status extends ErrorStatus<Id>> = {
  [S in Status]: ErrorOfStatus<S> & {
    /** The operation that was called. */
    readonly operation: Id;
    /** The HTTP status. */
    readonly status: S;
    /** The codes that the contract defines for the status. */
    readonly code: ProblemOf<Id, S> extends { code: infer Code } ? Code : never;
    /** The problem document that the contract defines for the status. */
    readonly problem: ProblemOf<Id, S>;
  };
}[Status];

const brandOf = (error: unknown): unknown => Object(error)[brand()];

/**
 * Whether this is an error of this package. Works across duplicate copies of the package, where `instanceof` fails.
 * @example if (isContentGenError(error)) console.log(error.code);
 */
export function isContentGenError(error: unknown): error is ContentGenError {
  return brandOf(error) !== undefined;
}

/**
 * Whether the service responded with an error. With an operation and a status, narrows to that problem document.
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
