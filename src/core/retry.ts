import type { ErrorCode } from '../errors.ts';
import type { CallContext, ResolvedOptions, RetryEvent } from '../options.ts';
import { elapsed, random } from '../platform/driver.ts';
import type { Call } from './call.ts';
import type { Deadline } from './deadline.ts';
import type { Failure } from './failure.ts';

/** The longest wait between two questions whether our own earlier attempt is done. */
const CAP_MS = 8000;
/** The longest that a generation takes: so long is our own earlier attempt waited for without a deadline. */
const LONGEST_MS = 600_000;

/** These codes decide regardless of the status. */
const retryable =
  /^(idempotency_in_progress|rate_limited|unavailable|connection_failed|(attempt|idle)_timeout)$/;
const final = /^(quota_exceeded|invalid_state|response_too_large|validation_failed)$/;

export interface Progress {
  /** Retries that count against `maxRetries`. */
  retries: number;
  /** How many times the service said that our own earlier attempt is still running. */
  stillRunning: number;
  /** An earlier attempt may have reached the service, although no response arrived. */
  mayBeRunning: boolean;
  /** A fresh credential was asked for, because the service said that the first one had expired. */
  isRefreshed?: boolean;
  /** When the service first said so. */
  waitsSince?: number | undefined;
  /** The deadline ends before the service is done with our own earlier attempt. */
  isLate?: boolean;
  /** Why no further attempt is made, although one could help. */
  hint?: string;
}

export function planRetry(
  call: Call,
  failure: Failure,
  context: CallContext,
  deadline: Deadline,
  progress: Progress,
): RetryEvent | undefined {
  const isWaiting = progress.mayBeRunning && failure.code === 'idempotency_in_progress';
  progress.mayBeRunning ||= call.idempotencyKey !== undefined && mayHaveArrived(failure);
  if (call.method === 'POST' && call.idempotencyKey === undefined && mayHaveArrived(failure)) {
    progress.hint =
      'The request might have been carried out, and this deployment has no idempotency keys: repeated, it could be billed twice.';
    return undefined;
  }
  const { code, status, requestId } = failure;
  if (code === 'expired_token' && typeof call.options.credential.value === 'function') {
    if (progress.isRefreshed) return undefined;
    progress.isRefreshed = true;
    return { ...context, code, status, requestId, delayMs: 0 };
  }
  if (isWaiting) progress.stillRunning += 1;
  else if (progress.retries >= call.maxRetries) return undefined;
  else if (failure.isFinal || !isRetryable(code, status)) return undefined;
  else progress.retries += 1;
  const hintMs = failure.retryAfterMs ?? 0;
  if (hintMs > call.options.maxRetryAfter) {
    if (!isWaiting)
      progress.hint = 'The service asks to wait until `retryAt`, longer than `maxRetryAfter`.';
    return undefined;
  }
  const delayMs = isWaiting
    ? Math.max(hintMs, growingMs(progress.stillRunning, random(), 1000, CAP_MS))
    : // `Retry-After: 0` asks for no particular wait.
      hintMs || backoffMs(progress.retries, random(), call.options.backoff);
  if (delayMs >= deadline.remaining()) {
    progress.isLate = isWaiting;
    return undefined;
  }
  progress.waitsSince ??= isWaiting ? elapsed() : undefined;
  const waitedMs = elapsed() - (progress.waitsSince ?? Infinity);
  if (isWaiting && deadline.remaining() === Infinity && waitedMs + delayMs > LONGEST_MS) {
    progress.hint =
      'This call is still running after ten minutes. Repeat it later with the same idempotencyKey, or set `deadline`.';
    return undefined;
  }
  return { ...context, code, status, requestId, delayMs };
}

/** Whether the service may be working on the request, although it did not say so. */
function mayHaveArrived({ status, reason, problem }: Failure): boolean {
  if (status !== undefined) return status >= 500 && !problem;
  return reason === undefined || /reset|timeout|corrupt/.test(reason);
}

/** Whether another attempt can help: decided by code, then by status (408, 425, 429 and 5xx, but not 501 and 505). */
export function isRetryable(code: ErrorCode, status = 0): boolean {
  if (final.test(code)) return false;
  return (
    retryable.test(code) ||
    (/^(408|425|429|5..)$/.test(`${status}`) && !/^50[15]$/.test(`${status}`))
  );
}

/** Full jitter: between 0 and an upper bound that doubles from `initial` to `max`. `retry` counts from 1; `random` is in [0, 1). */
export function backoffMs(
  retry: number,
  random: number,
  { initial, max }: ResolvedOptions['backoff'],
): number {
  return Math.round(random * Math.min(max, initial * 2 ** (retry - 1)));
}

/** The `n`th wait of a series that grows by half from `min` to `max`, ±20 %; `n` counts from 1, `random` is in [0, 1). */
export function growingMs(n: number, random: number, min: number, max: number): number {
  return Math.round(Math.min(max, min * 1.5 ** (n - 1)) * (0.8 + 0.4 * random));
}
