import { WebhookError } from '../../signing/errors.ts';

/** A message cannot be processed now: the queue must redeliver it. No callback has failed. */
export class WebhookRetryError extends WebhookError {
  /** Always `WebhookRetryError`. */
  override name = 'WebhookRetryError';
  /** Another attempt is handling it, or crashed less than a lease ago; the store failed; the lease was lost; the queue failed. */
  readonly code: 'in_flight' | 'store_failed' | 'lease_lost' | 'enqueue_failed';
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
  enqueue_failed: 'Failed to enqueue the delivery.',
  lease_lost: 'Lost the delivery: its lease expired, or another attempt took over.',
};
