export { ContentGen } from './client.ts';
export type { ApiPromise, SafeResult, WithResponse } from './core/caller.ts';
export type { HttpClient, HttpMethod, HttpMiddleware } from './core/http.ts';
export type { ListPromise } from './core/pagination.ts';
export { refreshing } from './core/refreshing.ts';
export type { Deployment, DeploymentJson, SchemeData } from './deployment-port.ts';
export {
  AbortedError,
  ApiError,
  type ApiErrorOf,
  type AttemptRecord,
  AuthenticationError,
  BadRequestError,
  type CallFacts,
  type ClientErrorCode,
  ConflictError,
  ConnectionError,
  type ConnectionFailureReason,
  ContentGenError,
  type ContentGenErrorInit,
  type ErrorCode,
  GenerationFailedError,
  type GenerationFailure,
  isApiError,
  isContentGenError,
  NotFoundError,
  OperationAbsentError,
  ParseError,
  PermissionDeniedError,
  type ProblemCode,
  QuotaExceededError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from './errors.ts';
export type { components, operations, paths, webhooks } from './generated/openapi.ts';
export type {
  CallContext,
  CallEnd,
  CallOptions,
  CallStart,
  ClientOptions,
  Credential,
  CredentialState,
  Fetch,
  Logger,
  LogLevel,
  Middleware,
  MiddlewareContext,
  RetryEvent,
} from './options.ts';
export type { ApiKeys } from './resources/api-keys.ts';
export type { Content, WatchOptions } from './resources/content.ts';
export type { GenerationJob } from './resources/generation-job.ts';
export { GenerationStream, type StreamPosition } from './resources/generation-stream.ts';
export type { UsageResource } from './resources/usage.ts';
export type { ResultSource, WaitOptions, WaitProgress } from './resources/wait-options.ts';
export type { Webhooks } from './resources/webhooks.ts';
export type * from './types.ts';
