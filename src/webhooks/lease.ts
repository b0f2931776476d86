import { longestTimerMs } from '../options/rules.ts';
import {
  clearTimer,
  elapsed,
  onAbort,
  setRepeatingTimer,
  setTimer,
  type Timer,
} from '../platform/driver.ts';
import type { Dedupe } from './dedupe/lease-times.ts';
import { LeaseLostError } from './queue/give-up.ts';
import { withinDeadline } from './store-deadline.ts';

/** A longer lease is renewed daily, well within what timers support. */
const maxRenewalMs = 86_400_000;

export interface Lease {
  /**
   * Aborted when the lease is lost: another attempt took over, or no renewal has succeeded for as long as the lease
   * lasts, so that another attempt can take over.
   */
  readonly signal: AbortSignal;
  /** Resolves, to what to log, when the callback has had its time; the lease then ends by itself. */
  readonly outOfTime: Promise<Error>;
  stopRenewing(): void;
  /** Stops everything: the signal is no longer aborted either. */
  stop(): void;
}

/** @param options.ending - Aborts the signal too. Edge runtimes have no `AbortSignal.any`. */
export function keepLease(
  dedupe: Dedupe,
  key: string,
  attemptId: string,
  options: {
    readonly storeTimeoutMs: number;
    readonly maxHandlingMs: number;
    readonly ending?: AbortSignal | undefined;
  },
): Lease {
  const { storeTimeoutMs, maxHandlingMs, ending } = options;
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
  let limit: Timer | undefined;
  const outOfTime = new Promise<Error>((resolve) => {
    const end = () => {
      const error = new Error(
        `The callback did not end within maxHandlingMs, ${maxHandlingMs}. Pass its signal on, or raise it.`,
      );
      clearTimer(timer);
      controller.abort(error);
      resolve(error);
    };
    limit = setTimer(end, Math.min(maxHandlingMs, longestTimerMs));
  });
  const stopRenewing = () => clearTimer(timer);
  return {
    signal: controller.signal,
    outOfTime,
    stopRenewing,
    stop() {
      stopRenewing();
      clearTimer(limit);
      unfollow();
    },
  };
}
