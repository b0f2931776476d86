import { kindOf, WebhookError } from '../../signing/errors.ts';
import type { DeliveryResult } from '../process-once.ts';

/** A message cannot be processed now: the queue must redeliver it. No callback has failed. */
export class WebhookRetryError extends WebhookError {
  /** Always `WebhookRetryError`. */
  override name = 'WebhookRetryError';
  /** Another attempt is handling it, or crashed less than a lease ago; the store failed; the lease was lost. */
  readonly code: 'in_flight' | 'store_failed' | 'lease_lost';
  /** How long to wait before retrying, in ms. */
  readonly retryAfterMs: number;

  constructor(code: WebhookRetryError['code'], retryAfterMs: number) {
    super(`${reasons[code]} Retry in ${retryAfterMs / 1000} s.`);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

const reasons: Record<WebhookRetryError['code'], string> = {
  in_flight:
    'Failed to claim the delivery: another attempt is handling it, or crashed and its lease has not expired yet.',
  store_failed: 'Failed to claim the delivery: the dedupe store failed.',
  lease_lost: 'Lost the delivery: its lease expired, or another attempt took over.',
};

/** Throws if the event must be processed again: the callback's error or a {@link WebhookRetryError}. */
export function assertHandled({ status, outcome, retryAfter = 1, error }: DeliveryResult): void {
  if (status === 200) return;
  if (outcome in reasons)
    throw new WebhookRetryError(outcome as WebhookRetryError['code'], retryAfter * 1000);
  // Queues read the message of what a job threw, and some treat a job that throws no error as done.
  throw typeof Object(error).message === 'string'
    ? error
    : new Error(describe(error), { cause: error });
}

const describe = (thrown: unknown): string =>
  typeof thrown === 'string' ? thrown : `The callback threw ${kindOf(thrown)}.`;
