import { WebhookError } from '../../signing/errors.ts';

/** A message cannot be processed now: the queue must try again. No callback has failed. */
export class WebhookRetryError extends WebhookError {
  /** Always `WebhookRetryError`. */
  override name = 'WebhookRetryError';
  /** Another attempt is at work, or died less than a lease ago; the store failed; the lease was lost; the queue failed. */
  readonly code: 'in_flight' | 'store_failed' | 'lease_lost' | 'enqueue_failed';
  /** After how long it is worth another try, in ms. */
  readonly retryAfterMs: number;

  constructor(code: WebhookRetryError['code'], retryAfterMs: number) {
    super(`${reasons[code]} Try again in ${retryAfterMs / 1000} s.`);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

const reasons: Record<WebhookRetryError['code'], string> = {
  in_flight: 'Failed to claim the delivery: another attempt is at work, or died a moment ago.',
  store_failed: 'Failed to claim the delivery: the dedupe store failed.',
  enqueue_failed: 'Failed to enqueue the delivery.',
  lease_lost: 'Failed to keep the delivery: its lease expired, or another attempt took over.',
};
