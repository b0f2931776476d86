import { misconfigured } from '../signing/errors.ts';
import { type Dedupe, LeaseLostError, type SqlQuery } from './dedupe/dedupe.ts';
import type { WebhookEvent } from './events.ts';
import type { DeliveryReport, WebhookCallback } from './handler-options.ts';

/** An answer, before it is one of HTTP. */
export type Answer = Omit<DeliveryReport, 'durationMs'> & {
  /** Whole seconds. */
  readonly retryAfter?: number;
};

/** Tells of a failure, with what was thrown. */
export type LogFailure = (what: string, thrown: unknown) => void;

/** Runs the callback of an event unless another delivery of it is done or running, in any process. */
export async function once(
  dedupe: Dedupe,
  key: string,
  event: WebhookEvent,
  callback: WebhookCallback<never> | undefined,
  log: LogFailure,
): Promise<Answer> {
  const attemptId = crypto.randomUUID();
  try {
    const claim = await dedupe.claim(key, attemptId);
    if (claim.state === 'done') return { status: 200, outcome: 'duplicate' };
    // The other attempt renews its lease: it may be done long before that ends.
    if (claim.state === 'in_flight')
      return { status: 503, outcome: 'in_flight', retryAfter: seconds(claim.leftMs) };
  } catch (error) {
    log(`Dedupe failed before ${event.id}`, error);
    return { status: 503, outcome: 'store_failed', retryAfter: 5 };
  }
  const outcome = callback ? await run(dedupe, key, attemptId, event, callback, log) : 'ignored';
  const again = outcome === 'callback_failed' || outcome === 'lease_lost';
  try {
    await (again ? dedupe.release(key, attemptId) : persist(() => dedupe.complete(key, attemptId)));
  } catch (error) {
    // The callback is over: a refusal now would make the sender repeat its effect for certain.
    log(`Dedupe failed after ${event.id}`, error);
  }
  if (outcome === 'lease_lost') return { status: 503, outcome, retryAfter: 1 };
  return { status: again ? 500 : 200, outcome };
}

/** Up to four tries in 2.1 s: most outages of a store are over by then, and the sender waits 15 s. */
async function persist(mark: () => Promise<void>, waitMs = 100): Promise<void> {
  try {
    await mark();
  } catch (error) {
    if (waitMs > 1600) throw error;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    await persist(mark, waitMs * 4);
  }
}

function seconds(leftMs: number): number {
  return Math.max(1, Math.min(10, Math.ceil(leftMs / 1000)));
}

async function run(
  dedupe: Dedupe,
  key: string,
  attemptId: string,
  event: WebhookEvent,
  callback: WebhookCallback<never>,
  log: LogFailure,
): Promise<'processed' | 'lease_lost' | 'permanent_error' | 'callback_failed'> {
  const lost = new AbortController();
  const timer = setInterval(
    async () => {
      try {
        if (!(await dedupe.renew(key, attemptId))) lost.abort(new LeaseLostError());
      } catch {
        // A store that cannot answer is no lost lease: the next renewal may find it again.
      }
      // At least daily: a platform timer that is asked for more than 24.8 days fires at once, for ever.
    },
    Math.min(dedupe.leaseMs / 3, 86_400_000),
  );
  const commitWith = async (query: SqlQuery) => {
    // From here the row is locked by the caller's transaction: a renewal would wait for it.
    clearInterval(timer);
    if (!dedupe.commitWith) misconfigured('commitWith needs postgresDedupe');
    await dedupe.commitWith(query, key, attemptId);
  };
  try {
    await callback(event as never, { signal: lost.signal, attemptId, commitWith });
    return 'processed';
  } catch (error) {
    // Told by its code: another entry, or copy of the package, may have made the error.
    const { code } = Object(error) as { code?: unknown };
    if (code === 'webhook_lease_lost') return 'lease_lost';
    log(`The callback of ${event.type} ${event.id} failed`, error);
    return code === 'webhook_permanent' ? 'permanent_error' : 'callback_failed';
  } finally {
    clearInterval(timer);
  }
}
