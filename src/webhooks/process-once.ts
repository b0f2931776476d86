import { elapsed, now, randomId, setTimer } from '../platform/driver.ts';
import { misconfigured, WebhookConfigurationError } from '../signing/errors.ts';
import { type AnyCallback, readCallbacks } from './callbacks.ts';
import type { Claim, Dedupe, SqlQuery } from './dedupe/lease-times.ts';
import { memoryDedupe } from './dedupe/memory.ts';
import { namesItsType, type WebhookEvent } from './events.ts';
import type { CallbackOptions, DeliveryReport, ProcessOptions } from './handler-options.ts';
import { keepLease } from './lease.ts';
import { createLogFailure, type LogFailure } from './log.ts';
import { assertRemembersReplays, createIgnoredNote, createStoreNote } from './notes.ts';
import { outcomeOf } from './queue/give-up.ts';
import {
  defaultStoreTimeoutMs,
  retryInBackground,
  type StoreTime,
  storeTimeOf,
  withinDeadline,
  withinTime,
} from './store-deadline.ts';

/** Runs the callback of an event once per key, in all processes that share the dedupe store. */
export interface CallbackRunner {
  run(
    event: WebhookEvent,
    key: string,
    options?: ProcessOptions,
    time?: StoreTime,
  ): Promise<DeliveryResult>;
}

export function createCallbackRunner(given: CallbackOptions): CallbackRunner {
  const callbackFor = readCallbacks(given);
  const {
    dedupe = memoryDedupe({ now: given.now ?? now }),
    storeTimeoutMs = defaultStoreTimeoutMs,
    maxHandlingMs = 600_000,
  } = given;
  assertRemembersReplays(dedupe, given);
  const log = createLogFailure(given);
  const noteIgnored = createIgnoredNote(given);
  const noteStore = createStoreNote(dedupe, given);
  return {
    async run(event, key, options = {}, time = storeTimeOf(storeTimeoutMs)) {
      const callback = callbackFor(event.type);
      if (!callback && !namesItsType(event)) return refuseUnnamed(event, log);
      if (!callback) {
        // Without a mark: once it has a callback, a copy that is sent again is handled.
        noteIgnored(event.type);
        return { status: 200, outcome: 'ignored' };
      }
      noteStore();
      const attemptId = randomId();
      const limits = { storeTimeoutMs, maxHandlingMs };
      const work = { dedupe, ...limits, time, log, event, key, attemptId, options };
      return processOnce(work, callback);
    },
  };
}

/** Acknowledged, such a delivery would be lost without a word: most likely, the deployment is described wrongly. */
function refuseUnnamed({ id, payload }: WebhookEvent, log: LogFailure): DeliveryResult {
  const members = Object.keys(payload).slice(0, 8).map(shortened).join(', ') || 'none';
  const error = new WebhookConfigurationError(
    `Failed to choose a callback for webhook ${id}: it names no event and has no known status or result; its members: ${members}. Set deployment if the service has other names, or onOther.`,
  );
  log('Failed to handle a webhook', error);
  return { status: 500, outcome: 'misconfigured', error };
}

const shortened = (name: string) => JSON.stringify(name.slice(0, 40));

interface Work {
  readonly dedupe: Dedupe;
  /** How long the response waits for one step of the store. */
  readonly storeTimeoutMs: number;
  readonly maxHandlingMs: number;
  /** How long it waits for all of them. */
  readonly time: StoreTime;
  readonly log: LogFailure;
  readonly event: WebhookEvent;
  readonly key: string;
  readonly attemptId: string;
  readonly options: ProcessOptions;
}

export type DeliveryResult = Omit<DeliveryReport, 'durationMs'> & {
  /** Whole seconds. */
  readonly retryAfter?: number;
};

async function processOnce(work: Work, callback: AnyCallback): Promise<DeliveryResult> {
  const conflict = await claim(work);
  if (conflict) return conflict;
  const { outcome, error, isMarked } = await runCallback(work, callback);
  switch (outcome) {
    case 'processed':
      if (isMarked) return confirmCommit(work);
      await markDone(work);
      return { status: 200, outcome };
    case 'permanent_error':
      await markDone(work);
      return { status: 200, outcome, error };
    case 'callback_failed':
      await release(work);
      return { status: 500, outcome, error };
    case 'out_of_time':
      // Until its lease has ended, the callback has time to stop.
      return { status: 500, outcome: 'callback_failed', error };
    case 'lease_lost':
      await release(work);
      return { status: 503, outcome, retryAfter: 1 };
  }
}

async function claim(work: Work): Promise<DeliveryResult | undefined> {
  const claimed = await tryClaim(work, 'claim');
  if ('status' in claimed) return claimed;
  if (claimed.state === 'done') return { status: 200, outcome: 'duplicate' };
  if (claimed.state === 'claimed') return undefined;
  return { status: 503, outcome: 'in_flight', retryAfter: retryAfter(claimed.leftMs) };
}

/** A claim, or the response if the store fails; `purpose` is what the log calls it. */
async function tryClaim(work: Work, purpose: string): Promise<Claim | DeliveryResult> {
  const { dedupe, key, attemptId, event, log, storeTimeoutMs, time } = work;
  let claiming: Claim | Promise<Claim> | undefined;
  try {
    return await withinTime(time, storeTimeoutMs, () => {
      claiming = dedupe.claim(key, attemptId);
      return claiming;
    });
  } catch (error) {
    log(`Failed to ${purpose} webhook ${event.id} in the dedupe store`, error);
    void abandon(claiming, work);
    return { status: 503, outcome: 'store_failed', retryAfter: 5 };
  }
}

/** Beyond this many abandoned claims, each is released only once, so that an outage does not cause a flood. */
const mostAbandoned = 100;
let abandoned = 0;

/**
 * The claim may have been written although its response was late or lost, so this releases it. It is released again a
 * few seconds later: after a partition, the claim itself can arrive that late.
 */
async function abandon(claiming: unknown, work: Work): Promise<void> {
  const { dedupe, key, attemptId, storeTimeoutMs } = work;
  const write = () => withinDeadline(storeTimeoutMs, () => dedupe.release(key, attemptId));
  try {
    await claiming;
  } catch {}
  await write().catch(() => {});
  if (abandoned >= mostAbandoned) return;
  abandoned += 1;
  await retryInBackground(write, dedupe.leaseMs);
  abandoned -= 1;
}

/**
 * The mark that `commitWith` wrote is there only if the transaction was committed, and then the effect is too.
 * PostgreSQL answers a COMMIT without an error even when it rolls back, because a query had failed.
 */
async function confirmCommit(work: Work): Promise<DeliveryResult> {
  const { event, log } = work;
  const claimed = await tryClaim(work, 'read the done mark of');
  // The next copy does what is right, committed or not.
  if ('status' in claimed) return claimed;
  if (claimed.state === 'done') return { status: 200, outcome: 'processed' };
  const error = new Error(
    'The transaction of commitWith was not committed. Let the error of a query end the callback, and await COMMIT.',
  );
  log(`Failed to handle webhook ${event.type} ${event.id}`, error);
  await release(work);
  return { status: 500, outcome: 'callback_failed', error };
}

/** At most 10 s, because the other attempt can be done long before its lease ends. */
function retryAfter(leftMs: number): number {
  return Math.max(1, Math.min(10, Math.ceil(leftMs / 1000)));
}

/** Frees the delivery. Another attempt is seconds away, so the response need not wait for long. */
async function release(work: Work): Promise<void> {
  const write = () => work.dedupe.release(work.key, work.attemptId);
  await persist(work, `release webhook ${work.event.id}`, write, [0], 1000);
}

/** The waits before each of the four tries. Most outages of a store end within 2.1 s. */
const waitsMs = [0, 100, 400, 1600];

/**
 * Writes the done mark. Until the lease expires, no other attempt can run the callback again. Never throws: an error
 * response would make the sender repeat the effect.
 */
async function markDone(work: Work): Promise<void> {
  const write = () => work.dedupe.complete(work.key, work.attemptId);
  await persist(work, `mark webhook ${work.event.id} as done`, write, waitsMs);
}

/**
 * Resolves when it is written, or when the response can wait no longer: when every try has failed, or the time is over.
 * It then keeps trying in the background until the lease expires.
 */
async function persist(
  work: Work,
  what: string,
  write: () => void | Promise<void>,
  waits: readonly number[],
  longestMs = work.storeTimeoutMs,
): Promise<void> {
  const { dedupe, log, storeTimeoutMs, time } = work;
  const end = elapsed() + Math.min(storeTimeoutMs, longestMs, time.leftMs);
  let failure: unknown;
  for (const waitMs of waits) {
    if (waitMs >= end - elapsed()) break;
    if (waitMs > 0) await new Promise<void>((resolve) => setTimer(resolve, waitMs));
    time.leftMs -= waitMs;
    try {
      return await withinTime(time, end - elapsed(), write);
    } catch (error) {
      failure = error;
    }
  }
  log(`Failed to ${what} in the dedupe store; retrying`, failure);
  void retryInBackground(() => withinDeadline(storeTimeoutMs, write), dedupe.leaseMs);
}

interface CallbackEnd {
  readonly outcome:
    | 'processed'
    | 'permanent_error'
    | 'lease_lost'
    | 'callback_failed'
    | 'out_of_time';
  readonly error?: unknown;
  /** Whether `commitWith` wrote the done mark in a transaction of the callback. */
  readonly isMarked: boolean;
}

async function runCallback(work: Work, callback: AnyCallback): Promise<CallbackEnd> {
  const { dedupe, key, attemptId, event, log, options } = work;
  const lease = keepLease(dedupe, key, attemptId, { ...work, ending: options.signal });
  let isMarked = false;
  // A callback that ignores that its mark failed is not done.
  let unmarked: unknown;
  const commitWith = async (query: SqlQuery) => {
    if (!dedupe.commitWith)
      misconfigured('this dedupe store has no commitWith', 'Use postgresDedupe.');
    unmarked = new Error('The callback ended before its commitWith. Await commitWith.');
    try {
      await dedupe.commitWith(query, key, attemptId);
      // What is marked has no lease to renew; until the COMMIT, its row is locked.
      lease.stopRenewing();
      isMarked = true;
      unmarked = undefined;
    } catch (error) {
      unmarked = error;
      throw error;
    }
  };
  const running = (async () => {
    await callback(event as never, { signal: lease.signal, attemptId, commitWith });
    if (unmarked) throw unmarked;
  })();
  try {
    const late = await Promise.race([running, lease.outOfTime]);
    if (!late) return { outcome: 'processed', isMarked };
    log(`Failed to handle webhook ${event.type} ${event.id}`, late);
    // If it ends well after all, its effect has happened, and no other attempt needs to repeat it.
    running.then(() => (isMarked ? undefined : markDone(work))).catch(() => {});
    return { outcome: 'out_of_time', error: late, isMarked };
  } catch (error) {
    const outcome = outcomeOf(error);
    if (outcome !== 'lease_lost')
      log(`Failed to handle webhook ${event.type} ${event.id}: the callback threw`, error);
    return { outcome, error, isMarked };
  } finally {
    lease.stop();
  }
}
