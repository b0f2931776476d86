import { type Dedupe, LeaseLostError } from './dedupe/dedupe.ts';
import { withinDeadline } from './store-deadline.ts';

/** Timers fire at once when asked for more than 24.8 days, so a longer lease is renewed daily. */
const maxRenewalMs = 86_400_000;

/**
 * Renews the lease until it is stopped. The signal is aborted when the lease is lost: another attempt took over, or
 * no renewal has succeeded for as long as the lease lasts, so that another attempt can take over.
 */
export function keepLease(
  dedupe: Dedupe,
  key: string,
  attemptId: string,
  storeTimeoutMs: number,
): { readonly signal: AbortSignal; stop(): void } {
  const lost = new AbortController();
  let renewedAt = performance.now();
  const renew = async () => {
    const start = performance.now();
    try {
      if (await withinDeadline(storeTimeoutMs, async () => dedupe.renew(key, attemptId)))
        renewedAt = start;
      else lost.abort(new LeaseLostError());
    } catch {
      // A store that fails has not lost the lease yet: the next renewal can succeed.
      if (start - renewedAt >= dedupe.leaseMs) lost.abort(new LeaseLostError());
    }
  };
  const timer = setInterval(renew, Math.min(dedupe.leaseMs / 3, maxRenewalMs));
  return { signal: lost.signal, stop: () => clearInterval(timer) };
}
