// What a callback can throw, and what follows: `PermanentError` acknowledges the delivery (200), `LeaseLostError`
// leaves it to the attempt that took over (503), and anything else makes the sender retry (500).

/**
 * Throw it in a callback to acknowledge a delivery that can never be handled: the sender does not retry. The dedupe
 * store remembers the delivery as handled, so a copy that is sent again does not run the callback either, until
 * `dedupe.forget(event.id)`. Throw any other error for what a fix of your code can handle.
 */
export class PermanentError extends Error {
  /** Always `PermanentError`. */
  override name = 'PermanentError';
  /** Always `webhook_permanent`. */
  readonly code = 'webhook_permanent';
}

/** The lease expired or another attempt took over: roll back, because only that attempt counts. */
export class LeaseLostError extends Error {
  /** Always `LeaseLostError`. */
  override name = 'LeaseLostError';
  /** Always `webhook_lease_lost`. */
  readonly code = 'webhook_lease_lost';

  constructor() {
    super('Lost the lease: it expired, or another attempt took over. Roll back.');
  }
}

/**
 * What follows from an error that a callback threw. Decided by code, because its class can come from another copy of
 * the package.
 */
export function outcomeOf(error: unknown): 'permanent_error' | 'lease_lost' | 'callback_failed' {
  const { code } = Object(error) as { code?: unknown };
  if (code === 'webhook_permanent') return 'permanent_error';
  return code === 'webhook_lease_lost' ? 'lease_lost' : 'callback_failed';
}
