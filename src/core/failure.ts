import { cleanText, cleanValue, cleanWord, printable, safePointer } from '../clean-text.ts';
import {
  AbortedError,
  ApiError,
  type AttemptRecord,
  type CallFacts,
  ConflictError,
  ConnectionError,
  type ConnectionFailureReason,
  ContentGenError,
  type ContentGenErrorInit,
  classByStatus,
  detailOf,
  type ErrorCode,
  GenerationFailedError,
  isContentGenError,
  OperationAbsentError,
  ParseError,
  QuotaExceededError,
  ServerError,
  TimeoutError,
  ValidationError,
} from '../errors.ts';
import { pathInBaseUrl } from '../path-in-base-url.ts';
import { now } from '../platform/driver.ts';
import { hideQuotations } from '../quotations.ts';
import type { FieldError, Problem } from '../types.ts';
import { parseRateLimit } from './rate-limit-headers.ts';

/** Why an attempt failed, as plain data. Only the last failure of a call becomes an `Error`. */
export interface Failure {
  readonly code: ErrorCode;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly problem?: Problem | undefined;
  /** Response headers; set when the status is an error. */
  readonly headers?: { get(name: string): string | null };
  readonly retryAfterMs?: number | undefined;
  readonly reason?: ConnectionFailureReason;
  readonly limitMs?: number;
  /** Another attempt cannot help, even if the code is usually worth a retry. */
  readonly isFinal?: boolean;
  readonly cause?: unknown;
  readonly body?: unknown;
  readonly hint?: string | undefined;
}

type ErrorClass = new (message: string, init: ContentGenErrorInit) => ContentGenError;

export const stillRunning =
  'This call is still running. Repeat it later with the same idempotencyKey.';

/** The class of each code that the client sets itself, and what happened, for the message of a failure without a hint. */
const byCode: Readonly<Partial<Record<ErrorCode, readonly [ErrorClass, string?]>>> = {
  aborted: [AbortedError, 'The signal was aborted.'],
  attempt_timeout: [TimeoutError, 'No complete response arrived within `timeout`.'],
  connection_failed: [ConnectionError],
  credential_unavailable: [ContentGenError],
  deadline_exceeded: [TimeoutError, 'The call took longer than `deadline`.'],
  idempotency_in_progress: [ConflictError, stillRunning],
  operation_absent: [
    OperationAbsentError,
    'According to its deployment file, this deployment does not have the operation.',
  ],
  idle_timeout: [TimeoutError, 'The response paused for longer than `idleTimeout`.'],
  invalid_response: [ParseError],
  response_too_large: [ParseError],
  stream_diverged: [ContentGenError],
  stream_interrupted: [ConnectionError],
};

interface FailedCall extends Pick<CallFacts, 'operation' | 'idempotencyKey'> {
  /** The caller's own, which no message quotes. */
  readonly secrets?: (() => readonly string[]) | undefined;
  readonly method?: string | undefined;
  readonly url?: string | undefined;
}

export function toError(
  failed: Failure,
  call: FailedCall,
  attempts?: readonly AttemptRecord[],
): ContentGenError {
  const failure = withoutSecrets(failed, call);
  const { headers, retryAfterMs, isFinal: _, hint: __, limitMs: ___, ...facts } = failure;
  const { problem } = facts;
  const rateLimit = headers && parseRateLimit(headers, now());
  const resetsAt = new Date(problem?.resetsAt ?? '');
  const ErrorClass = classOf(failure);
  const generation = ErrorClass === GenerationFailedError ? generationOf(problem) : undefined;
  return new ErrorClass(messageOf(failure, call, attempts), {
    ...facts,
    operation: call.operation,
    idempotencyKey: call.idempotencyKey,
    attempts,
    generation,
    generationId: generation?.requestId,
    errors: ErrorClass === ValidationError ? (problem?.errors ?? []).map(cleanFields) : undefined,
    resetsAt: facts.code === 'quota_exceeded' && resetsAt.getTime() ? resetsAt : undefined,
    rateLimit: rateLimit && { ...rateLimit, ...hideSecrets({ policy: rateLimit.policy }, call) },
    retryAt: retryAfterMs === undefined ? undefined : new Date(now() + retryAfterMs),
  });
}

/**
 * Replaces the stack trace of an error with one that ends at the call site. V8 keeps ten frames: where the error is
 * created, all ten belong to this package; here, the caller's fit too. A successful call pays nothing.
 */
export function retrace(error: unknown): unknown {
  const { captureStackTrace } = Error as {
    captureStackTrace?(target: object, from?: unknown): void;
  };
  if (isContentGenError(error)) captureStackTrace?.(error, retrace);
  return error;
}

export function ofGeneration<T>(error: T, requestId: unknown): T {
  if (typeof requestId === 'string' && isContentGenError(error)) {
    Object.assign(error, { generationId: cleanText(requestId) });
  }
  return error;
}

export function toGenerationError(
  failed: GenerationFailedError['generation'],
  { operation, idempotencyKey, secrets }: FailedCall,
): GenerationFailedError {
  const generation = hideSecrets(failed, { secrets });
  const { status, requestId, error } = generation;
  const isCanceled = status === 'canceled';
  const name = typeof requestId === 'string' ? ` ${cleanText(requestId)}` : '';
  const reason = typeof error?.code === 'string' ? `: ${cleanWord(error.code)}` : '';
  const message = `Generation${name} ${isCanceled ? 'was canceled' : 'failed'}${reason}.${detailOf({ generation }, cleanerOf(secrets))}`;
  return new GenerationFailedError(message, {
    code: isCanceled ? 'generation_canceled' : 'generation_failed',
    operation,
    idempotencyKey,
    generation,
    generationId: typeof requestId === 'string' ? cleanText(requestId) : undefined,
  });
}

/** A failure without what it quotes from the secrets of its call. Its body is kept as it came. */
export function withoutSecrets(failure: Failure, call: FailedCall): Failure {
  const { body: _, cause: __, headers: ___, ...facts } = failure;
  return { ...failure, ...hideSecrets(facts, call) };
}

export const hideSecrets = <T>(value: T, { secrets }: FailedCall): T =>
  hideIn(value, longOf(secrets)) as T;

type Secrets = FailedCall['secrets'];
type Hide = (text: string) => string;

/** A short secret is hidden only in what the service says: it could be the name of a field. */
function longOf(secrets: Secrets = () => []): Hide {
  const long = secrets().filter(({ length }) => length >= 16);
  const hide = hideQuotations(long, HIDDEN);
  let left = MOST_TEXT;
  return (text) => {
    left -= text.length;
    return left < 0 ? HIDDEN : hide(text);
  };
}

const cleanerOf = (secrets: Secrets = () => []): Hide => {
  const hide = hideQuotations(secrets(), HIDDEN);
  return (text) => hide(printable(text));
};

const HIDDEN = '…';
const MAX_DEPTH = 8;
/** So much of a problem is searched; a service could send megabytes. */
const MOST_TEXT = 100_000;

function hideIn(value: unknown, hide: Hide, depth = 0): unknown {
  if (typeof value === 'string') return hide(value);
  if (Object(value) !== value) return value;
  if (depth > MAX_DEPTH) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => hideIn(item, hide, depth + 1));
  const members = Object.entries(value as object);
  return Object.fromEntries(
    members.map(([name, member]) => [hide(name), hideIn(member, hide, depth + 1)]),
  );
}

const cleanFields = (error: FieldError) =>
  Object.fromEntries(
    Object.entries(error).map(([name, value]) => [name, cleanValue(value)]),
  ) as unknown as FieldError;

const withoutQuery = (url: string): string => cleanText(url.split(/[?#]/, 1)[0] ?? '', 500);

/** A code in an error response never selects a class for the client's own failures, nor their words. */
const ownFailure = ({ code, headers }: Failure) => (headers ? [] : (byCode[code] ?? []));

function classOf(failure: Failure): ErrorClass {
  const { code, status = 0 } = failure;
  const [own] = ownFailure(failure);
  if (own) return own;
  if (code === 'quota_exceeded') return QuotaExceededError;
  if (code === 'generation_failed') return GenerationFailedError;
  const other = status >= 500 ? ServerError : ApiError;
  return classByStatus[status as keyof typeof classByStatus] ?? other;
}

function messageOf(
  failure: Failure,
  { operation, method, url = '', secrets }: FailedCall,
  attempts: readonly AttemptRecord[] = [],
): string {
  const { code, status, requestId, problem, limitMs } = failure;
  const hint = failure.hint ?? ownFailure(failure)[1];
  const clean = cleanerOf(secrets);
  const fields = problem?.errors
    ?.slice(0, 3)
    .map(({ pointer, parameter, code }) => {
      const field = pointer === undefined ? cleanWord(parameter) : safePointer(pointer);
      return `${field} ${cleanWord(code)}`;
    })
    .join(', ');
  const count = attempts.length;
  const head = [
    `Failed to call ${operation ?? 'the service'}: `,
    status ? `${status} ` : '',
    code,
    limitMs ? ` (${limitMs} ms)` : '',
    fields ? ` (${fields})` : '',
    count > 0 ? ` after ${count} attempt${count > 1 ? 's' : ''}` : '',
    requestId ? `, request ${requestId}` : '',
    // Nothing was found at this URL, so the message shows it.
    url && (status === 404 || status === 405) ? ` (${method} ${withoutQuery(url)})` : '',
    '.',
    hint ? ` ${hint}` : '',
    status === 404 ? pathInBaseUrl(url) : '',
  ].join('');
  return hideSecrets(head, { secrets }) + detailOf({ problem, status, body: failure.body }, clean);
}

function generationOf(problem: Problem | undefined): GenerationFailedError['generation'] {
  const { generationId, code = 'generation_failed', detail } = Object(problem);
  const error = { code, message: typeof detail === 'string' ? detail : '' };
  return {
    ...(typeof generationId === 'string' && { requestId: cleanText(generationId) }),
    status: 'failed',
    error,
  };
}
