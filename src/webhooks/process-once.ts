import { misconfigured } from '../signing/errors.ts';
import type { Claim, SqlQuery } from './dedupe/dedupe.ts';
import type { DeliveryReport, WebhookCallback } from './handler-options.ts';
import { keepLease } from './lease.ts';
import { markDone, retryInBackground } from './mark-done.ts';
import { withinDeadline } from './store-deadline.ts';
import type { Work } from './work.ts';

/** How a delivery ended. */
export type DeliveryResult = Omit<DeliveryReport, 'durationMs'> & {
  /** Whole seconds. */
  readonly retryAfter?: number;
};

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
async function claim(work: Work, attemptId: string): Promise<DeliveryResult | undefined> {
  const { dedupe, key, event, log, storeTimeoutMs } = work;
  const claiming = (async () => dedupe.claim(key, attemptId))();
  try {
    const claimed = await withinDeadline(storeTimeoutMs, () => claiming);
    if (claimed.state === 'done') return { status: 200, outcome: 'duplicate' };
    if (claimed.state === 'in_flight')
      return { status: 503, outcome: 'in_flight', retryAfter: retryAfter(claimed.leftMs) };
    return undefined;
  } catch (error) {
    log(`Failed to claim webhook ${event.id} in the dedupe store`, error);
    void abandon(claiming, work, attemptId);
    return { status: 503, outcome: 'store_failed', retryAfter: 5 };
  }
}

/** The store can have written a claim whose answer was late or lost: frees it, so that no copy waits for its lease. */
async function abandon(claiming: Promise<Claim>, { dedupe, key }: Work, attemptId: string) {
  try {
    await claiming.catch(() => {});
    await dedupe.release(key, attemptId);
  } catch {}
}

/** At most 10 s: the other attempt can be done long before its lease ends. */
function retryAfter(leftMs: number): number {
  return Math.max(1, Math.min(10, Math.ceil(leftMs / 1000)));
}

/** Another attempt is seconds away, so the response need not wait for long. */
const longestReleaseMs = 1000;

async function release(work: Work, attemptId: string): Promise<void> {
  const { dedupe, key, event, log, storeTimeoutMs } = work;
  const write = async () => dedupe.release(key, attemptId);
  try {
    await withinDeadline(Math.min(storeTimeoutMs, longestReleaseMs), write);
  } catch (error) {
    log(`Failed to release webhook ${event.id} in the dedupe store; still trying`, error);
    void retryInBackground(() => withinDeadline(storeTimeoutMs, write), dedupe.leaseMs);
  }
}

async function runCallback(
  { dedupe, key, event, log, storeTimeoutMs }: Work,
  attemptId: string,
  callback: WebhookCallback<never>,
): Promise<'processed' | 'lease_lost' | 'permanent_error' | 'callback_failed'> {
  const lease = keepLease(dedupe, key, attemptId, storeTimeoutMs);
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
