import { misconfigured } from '../signing/errors.ts';
import { type Dedupe, LeaseLostError, type SqlQuery } from './dedupe/dedupe.ts';
import type { WebhookEvent } from './events.ts';
import type { DeliveryReport, WebhookCallback } from './handler-options.ts';

/** How a delivery ended. */
export type DeliveryResult = Omit<DeliveryReport, 'durationMs'> & {
  /** Whole seconds. */
  readonly retryAfter?: number;
};

/** Logs a failure and the error behind it. */
export type LogFailure = (message: string, error: unknown) => void;

/** An event to process, and everything that takes. */
export interface Work {
  readonly dedupe: Dedupe;
  /** The key of the delivery in the dedupe store. */
  readonly key: string;
  readonly event: WebhookEvent;
  readonly callback: WebhookCallback<never> | undefined;
  readonly log: LogFailure;
}

/** Runs the callback of an event unless the delivery is done or in flight, in any process. */
export async function processOnce(work: Work): Promise<DeliveryResult> {
  const attemptId = crypto.randomUUID();
  const conflict = await claim(work, attemptId);
  if (conflict) return conflict;
  const outcome = work.callback ? await runCallback(work, attemptId, work.callback) : 'ignored';
  const willRetry = outcome === 'callback_failed' || outcome === 'lease_lost';
  await (willRetry ? release(work, attemptId) : markDone(work, attemptId));
  if (outcome === 'lease_lost') return { status: 503, outcome, retryAfter: 1 };
  return { status: willRetry ? 500 : 200, outcome };
}

/** Claims the delivery. Returns a result when it cannot be processed here and now. */
async function claim(
  { dedupe, key, event, log }: Work,
  attemptId: string,
): Promise<DeliveryResult | undefined> {
  try {
    const claimed = await dedupe.claim(key, attemptId);
    if (claimed.state === 'done') return { status: 200, outcome: 'duplicate' };
    if (claimed.state === 'in_flight')
      return { status: 503, outcome: 'in_flight', retryAfter: retryAfter(claimed.leftMs) };
    return undefined;
  } catch (error) {
    log(`Failed to claim webhook ${event.id} in the dedupe store`, error);
    return { status: 503, outcome: 'store_failed', retryAfter: 5 };
  }
}

/** At most 10 s: the other attempt can be done long before its lease ends. */
function retryAfter(leftMs: number): number {
  return Math.max(1, Math.min(10, Math.ceil(leftMs / 1000)));
}

async function release({ dedupe, key, event, log }: Work, attemptId: string): Promise<void> {
  try {
    await dedupe.release(key, attemptId);
  } catch (error) {
    log(`Failed to release webhook ${event.id} in the dedupe store`, error);
  }
}

/** Never throws: after the callback has run, an error response would make the sender repeat its effect. */
async function markDone({ dedupe, key, event, log }: Work, attemptId: string): Promise<void> {
  try {
    await retry(() => dedupe.complete(key, attemptId));
  } catch (error) {
    log(`Failed to mark webhook ${event.id} as done in the dedupe store`, error);
  }
}

/** Up to four tries in 2.1 s: most outages of a store are over by then, and the sender waits 15 s. */
async function retry(write: () => Promise<void>, waitMs = 100): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (waitMs > 1600) throw error;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    await retry(write, waitMs * 4);
  }
}

async function runCallback(
  { dedupe, key, event, log }: Work,
  attemptId: string,
  callback: WebhookCallback<never>,
): Promise<'processed' | 'lease_lost' | 'permanent_error' | 'callback_failed'> {
  const lease = keepLease(dedupe, key, attemptId);
  const commitWith = async (query: SqlQuery) => {
    // From here on the row is locked by the caller's transaction: a renewal would wait for it.
    lease.stop();
    if (!dedupe.commitWith)
      misconfigured('this dedupe store has no commitWith', 'Use postgresDedupe.');
    await dedupe.commitWith(query, key, attemptId);
  };
  try {
    await callback(event as never, { signal: lease.signal, attemptId, commitWith });
    return 'processed';
  } catch (error) {
    // By code, not by class: the error can be of another entry or copy of the package.
    const { code } = Object(error) as { code?: unknown };
    if (code === 'webhook_lease_lost') return 'lease_lost';
    log(`Failed to handle webhook ${event.type} ${event.id}: the callback threw`, error);
    return code === 'webhook_permanent' ? 'permanent_error' : 'callback_failed';
  } finally {
    lease.stop();
  }
}

/** Timers fire at once when asked for more than 24.8 days, so a longer lease is renewed daily. */
const maxRenewalMs = 86_400_000;

/** Renews the lease until it is stopped. The signal is aborted when the lease is lost. */
function keepLease(dedupe: Dedupe, key: string, attemptId: string) {
  const lost = new AbortController();
  const renew = async () => {
    try {
      if (!(await dedupe.renew(key, attemptId))) lost.abort(new LeaseLostError());
    } catch {
      // A store that fails has not lost the lease: the next renewal can succeed.
    }
  };
  const timer = setInterval(renew, Math.min(dedupe.leaseMs / 3, maxRenewalMs));
  return { signal: lost.signal, stop: () => clearInterval(timer) };
}
