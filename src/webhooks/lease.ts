import { clearTimer, elapsed, onAbort, setRepeatingTimer } from '../platform/driver.ts';
import type { Dedupe } from './dedupe/lease-times.ts';
import { LeaseLostError } from './queue/give-up.ts';
import { withinDeadline } from './store-deadline.ts';

/** A longer lease is renewed daily, well within what timers support. */
const maxRenewalMs = 86_400_000;

/** A lease that is being renewed. */
export interface Lease {
  /**
   * Aborted when the lease is lost: another attempt took over, or no renewal has succeeded for as long as the lease
   * lasts, so that another attempt can take over.
   */
  readonly signal: AbortSignal;
  stopRenewing(): void;
  /** Stops everything: the signal is no longer aborted either. */
  stop(): void;
}

/**
 * Renews the lease of an attempt until it is stopped.
 *
 * @param options.ending - Aborts the signal too. Edge runtimes have no `AbortSignal.any`.
 */
export function keepLease(
  dedupe: Dedupe,
  key: string,
  attemptId: string,
  options: { readonly storeTimeoutMs: number; readonly ending?: AbortSignal | undefined },
): Lease {
  const { storeTimeoutMs, ending } = options;
  const controller = new AbortController();
  const unfollow = onAbort(ending, () => controller.abort(ending?.reason));
  let renewedAt = elapsed();
  const renew = async () => {
    const start = elapsed();
    try {
      if (await withinDeadline(storeTimeoutMs, () => dedupe.renew(key, attemptId)))
        renewedAt = start;
      else controller.abort(new LeaseLostError());
    } catch {
      // The lease is not lost yet just because the store failed: the next renewal can succeed.
      if (start - renewedAt >= dedupe.leaseMs) controller.abort(new LeaseLostError());
    }
  };
  const timer = setRepeatingTimer(renew, Math.min(dedupe.leaseMs / 3, maxRenewalMs));
  const stopRenewing = () => clearTimer(timer);
  return {
    signal: controller.signal,
    stopRenewing,
    stop() {
      stopRenewing();
      unfollow();
    },
  };
}
