import { cleanText } from '../clean-text.ts';
import type { ErrorCode } from '../errors.ts';
import { isObject, parseJson } from '../options/values.ts';
import type { ResolvedOptions } from '../options.ts';
import { now } from '../platform/driver.ts';
import { join } from '../read-up-to.ts';
import { retryAfterOf } from '../retry-after.ts';
import type { Problem } from '../types.ts';
import type { Call } from './call.ts';
import { bodyFailure } from './connection-failure.ts';
import { createIdleTimer, type Deadline } from './deadline.ts';
import type { Failure } from './failure.ts';

/** Thrown to leave an attempt or its stream. Callers never see it: `toError` turns the failure into the error they see. */
export class AttemptFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.code);
    this.failure = failure;
  }
}

export interface ByteStream {
  /** The next chunk, `undefined` at the end; throws `AttemptFailed`. */
  read(): Promise<Uint8Array | undefined>;
  /** Closes the connection if bytes are left. */
  close(): void;
  /** The reader is busy with what it has read: the idle time-out starts again. */
  touch?(): void;
  onEnd?(listener: (failure: Failure) => void): void;
}

/** Settles with the promise, or rejects as soon as the attempt ends, even if `fetch` ignores its signal. */
export function race<T>(promise: Promise<T>, attempt: Deadline): Promise<T> {
  return new Promise((resolve, reject) => {
    attempt.onEnd((failure) => reject(new AttemptFailed(failure)));
    promise.then(resolve, reject);
  });
}

/** Ends the attempt. If it has already ended, the first failure is the one thrown. */
function failAttempt(attempt: Deadline, failure: Failure): never {
  attempt.end(failure);
  throw new AttemptFailed(attempt.failure ?? failure);
}

type ReadOptions = Pick<ResolvedOptions, 'idleTimeout' | 'maxResponseBytes'>;

/** Reads the whole body as text. Fails with `response_too_large` instead of reading more than `maxResponseBytes`. */
export async function readText(
  response: Response,
  attempt: Deadline,
  { idleTimeout, maxResponseBytes }: ReadOptions,
): Promise<string> {
  const assertSize = (size: number) => {
    if (size <= maxResponseBytes) return;
    const hint = `The response is longer than \`maxResponseBytes\` (${maxResponseBytes}).`;
    failAttempt(attempt, responseFailure(response, 'response_too_large', hint));
  };
  const { body } = response;
  if (!body?.getReader) {
    const text = await race(response.text(), attempt).catch((cause) => failLost(attempt, cause));
    assertSize(text.length);
    return text;
  }
  const { read, close } = openBody(body, attempt, idleTimeout);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (let bytes = await read(); bytes; bytes = await read()) {
      size += bytes.byteLength;
      assertSize(size);
      chunks.push(bytes);
    }
  } finally {
    close();
  }
  return new TextDecoder().decode(join(chunks));
}

/**
 * Reads the body chunk by chunk. The timeout no longer applies, but the deadline of the call still does. A stream that
 * nobody reads for `idleTimeout` ends, or it would hold its connection forever.
 */
export function readStream(
  body: ReadableStream<Uint8Array>,
  attempt: Deadline,
  { idleTimeout }: ReadOptions,
): ByteStream {
  attempt.stopTimer();
  const { read, close, touch } = openBody(body, attempt, idleTimeout);
  return {
    read,
    touch,
    close() {
      close();
      attempt.end({ code: 'aborted' });
    },
    onEnd: (listener) => void attempt.onEnd(listener),
  };
}

/** Opens a body that is canceled when the attempt ends. A pause longer than `idleTimeout` ends the attempt. */
function openBody(body: ReadableStream<Uint8Array>, attempt: Deadline, idleTimeout: number) {
  const reader = body.getReader();
  let isReading = false;
  const idle = createIdleTimer(idleTimeout, () => {
    if (isReading) attempt.end({ code: 'idle_timeout', limitMs: idleTimeout });
    else attempt.end({ code: 'idle_timeout', hint: unread, isFinal: true });
  });
  idle.restart();
  attempt.onEnd(() => {
    idle.cancel();
    discard(reader);
  });
  return {
    async read(): Promise<Uint8Array | undefined> {
      isReading = true;
      idle.restart();
      try {
        const { value } = await reader.read();
        if (!attempt.failure) return value;
      } catch (cause) {
        failLost(attempt, cause);
      } finally {
        isReading = false;
        idle.restart();
      }
      return failLost(attempt);
    },
    touch: idle.restart,
    close: idle.cancel,
  };
}

const unread = 'Nobody read the stream for longer than `idleTimeout`, so it was closed.';

const failLost = (attempt: Deadline, cause?: unknown): never =>
  failAttempt(attempt, bodyFailure(cause));

/** Cancels a body that nobody will read; that of node-fetch is a stream of Node. */
export function discard(
  body: { cancel?(): Promise<void>; destroy?(): unknown } | null | undefined,
): void {
  if (body?.cancel) body.cancel().catch(ignore);
  else body?.destroy?.();
}

const ignore = (): void => {};

/** The bytes that `read` returns, up to `undefined`; if it rejects, the stream fails. Nothing is read ahead. */
export const toReadableStream = (
  read: () => Promise<Uint8Array | undefined>,
  cancel: () => void | Promise<void>,
): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      async pull(controller) {
        const bytes = await read();
        if (bytes) controller.enqueue(bytes);
        else controller.close();
      },
      cancel,
    },
    { highWaterMark: 0 },
  );

/** Codes for responses without a problem document, where the status leaves no doubt. */
const codeByStatus: Readonly<Partial<Record<number, ErrorCode>>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  503: 'unavailable',
};

/** A request id from outside, without characters that could forge a log line. */
const cleanRequestId = (id: unknown): string | undefined =>
  typeof id === 'string' ? cleanText(id, 128) : undefined;

export const requestIdOf = ({ headers }: Response): string | undefined =>
  cleanRequestId(headers.get('x-request-id'));

export function responseFailure(response: Response, code: ErrorCode, hint?: string): Failure {
  return { code, status: response.status, requestId: requestIdOf(response), hint };
}

export function misplacedHint({ headers }: Response, problem: string): string {
  // The service sends its version with every response (contract, section 1).
  if (headers.has('api-version')) return problem;
  return `${problem} Check that baseUrl and paths point to the service.`;
}

/** A redirect that was not followed: following it would send the credential elsewhere. */
export function redirectFailure(response: Response, url: string): Failure {
  const target = redirectTarget(response.headers.get('location'), url);
  const hint = `The redirect${target} was not followed. If the service has moved, change baseUrl.`;
  return responseFailure(response, 'unexpected_redirect', hint);
}

/** Where a redirect leads, without user, query and fragment: they may hold secrets. */
function redirectTarget(location: string | null, url: string): string {
  try {
    const { origin, protocol, pathname } = new URL(location ?? '', url);
    return location && /^https?:$/.test(protocol) ? ` to ${cleanText(origin + pathname)}` : '';
  } catch {
    return '';
  }
}

export function parseFailure(
  response: Response,
  text: string,
  { operation, options: { deployment } }: Pick<Call, 'operation' | 'options'>,
): Failure {
  const { status, headers } = response;
  const json = parseJson(text);
  const said = deployment ? deployment.toOurs.problem(operation, json) : json;
  const problem = isProblem(said) ? said : undefined;
  const { code = codeByStatus[status] ?? 'http_error', requestId } = problem ?? {};
  const failure = responseFailure(
    response,
    code as ErrorCode,
    problem ? undefined : hintOf(response),
  );
  return {
    ...failure,
    requestId: failure.requestId ?? cleanRequestId(requestId),
    headers,
    problem,
    ...(!problem && text !== '' && { body: json ?? text }),
    retryAfterMs: retryAfterOf(headers, now()),
  };
}

function hintOf(response: Response): string {
  const hint = 'The response was not application/problem+json.';
  const isMisplaced = response.status === 404 || response.status === 405;
  return isMisplaced ? misplacedHint(response, hint) : hint;
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
