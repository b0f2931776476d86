import { didYouMean } from '../known-options.ts';
import { longestTimerMs } from '../option-rules.ts';
import {
  clearTimer,
  elapsed,
  now,
  onAbort,
  randomId,
  setRepeatingTimer,
  setTimer,
  type Timer,
} from '../platform/driver.ts';
import { assertNumber, kindOf, misconfigured } from '../signing/errors.ts';
import { LeaseLostError, outcomeOf } from './callback-errors.ts';
import type { Claim, Dedupe, SqlQuery } from './dedupe/dedupe.ts';
import { memoryDedupe } from './dedupe/memory.ts';
import { isKnownType, knownTypes, type WebhookEvent } from './events.ts';
import type {
  CallbackOptions,
  DeliveryReport,
  WebhookCallback,
  WebhookMiddleware,
} from './handler-options.ts';

/** Runs the callback of an event once per key, in all processes that share the dedupe store. */
export interface CallbackRunner {
  run(event: WebhookEvent, key: string, adapt?: AdaptWork): Promise<DeliveryResult>;
}

/** Changes how one event is processed, for instance through a transaction. */
export type AdaptWork = (work: Work) => Work;

/** What `createWebhookHandler` and `createWebhookProcessor` share. @throws WebhookConfigurationError */
export function createCallbackRunner(options: CallbackOptions): CallbackRunner {
  const callbackFor = readCallbacks(options);
  const wrapped = wrapCallbacks(options.middleware);
  const { dedupe = memoryDedupe({ now: options.now ?? now }), storeTimeoutMs = 4000 } = options;
  if (!dedupe?.claim)
    misconfigured(`dedupe is ${kindOf(dedupe)}, not a store`, 'Pass a store: memoryDedupe().');
  assertNumber('storeTimeoutMs', storeTimeoutMs, 10, 'milliseconds');
  const log = createLogFailure(options);
  return {
    run(event, key, adapt = (work) => work) {
      const callback = wrapped(callbackFor(event.type));
      return processOnce(adapt({ dedupe, storeTimeoutMs, key, event, callback, log }));
    },
  };
}

function readCallbacks({ on = {}, onOther }: CallbackOptions) {
  if (typeof on !== 'object' || on === null || Array.isArray(on))
    misconfigured(`on is ${kindOf(on)}`, 'Pass an object: on: { generation_completed: … }.');
  const callbacks = new Map<string, unknown>(Object.entries(on));
  for (const [type, callback] of callbacks) {
    if (!isKnownType(type))
      misconfigured(
        `on.${type} is not an event type`,
        `${didYouMean(type, knownTypes).trim() || 'Check the spelling.'} Types of later versions go to onOther.`,
      );
    if (typeof callback !== 'function')
      misconfigured(`on.${type} is ${kindOf(callback)}`, 'Pass a function.');
  }
  if (onOther && typeof onOther !== 'function')
    misconfigured(`onOther is ${kindOf(onOther)}`, 'Pass a function.');
  return (type: string) =>
    (isKnownType(type) ? callbacks.get(type) : onOther) as WebhookCallback<never> | undefined;
}

/** Logs an error. Never throws: a broken logger must not decide what happens to a delivery. */
export function createLog({ logger = console }: Pick<CallbackOptions, 'logger'>) {
  return (message: string) => {
    try {
      logger.error(message);
    } catch {}
  };
}

/** Logs a failure with the stack of its error. */
export function createLogFailure(options: Pick<CallbackOptions, 'logger'>): LogFailure {
  const log = createLog(options);
  return (message, error) => log(`${message}: ${error instanceof Error ? error.stack : error}`);
}

/** Wraps callbacks in the middleware. @throws WebhookConfigurationError unless it is a list of functions */
function wrapCallbacks(
  middleware: readonly WebhookMiddleware[] = [],
): (callback: WebhookCallback<never> | undefined) => WebhookCallback<never> | undefined {
  if (!Array.isArray(middleware))
    misconfigured(`middleware is ${kindOf(middleware)}`, 'Pass a list of functions.');
  for (const [index, layer] of middleware.entries()) {
    if (typeof layer !== 'function')
      misconfigured(`middleware ${index + 1} is ${kindOf(layer)}`, 'Pass a function.');
  }
  return (callback) => callback && middleware.reduceRight(wrap, callback);
}

const wrap = (
  callback: WebhookCallback<never>,
  layer: WebhookMiddleware,
): WebhookCallback<never> => {
  return (event, context) =>
    layer(
      event,
      async () => {
        await callback(event, context);
      },
      context,
    );
};

/** Logs a failure and the error behind it. */
export type LogFailure = (message: string, error: unknown) => void;

/** An event to process, with everything needed for it. */
export interface Work {
  readonly dedupe: Dedupe;
  /** How long the response waits for one step of the store. */
  readonly storeTimeoutMs: number;
  /** The key of the delivery in the dedupe store. */
  readonly key: string;
  readonly event: WebhookEvent;
  readonly callback: WebhookCallback<never> | undefined;
  readonly log: LogFailure;
}

/** How a delivery ended. */
export type DeliveryResult = Omit<DeliveryReport, 'durationMs'> & {
  /** Whole seconds. */
  readonly retryAfter?: number;
};

/** Runs the callback of an event unless the delivery is done or in flight, in any process. */
async function processOnce(work: Work): Promise<DeliveryResult> {
  const attemptId = randomId();
  const conflict = await claim(work, attemptId);
  if (conflict) return conflict;
  const end: CallbackEnd = work.callback
    ? await runCallback(work, attemptId, work.callback)
    : { outcome: 'ignored' };
  const { outcome } = end;
  const willRetry = outcome === 'callback_failed' || outcome === 'lease_lost';
  await (willRetry ? release(work, attemptId) : markDone(work, attemptId));
  if (outcome === 'lease_lost') return { status: 503, outcome, retryAfter: 1 };
  return { status: willRetry ? 500 : 200, ...end };
}

/** How a callback ended, and what it threw. */
type CallbackEnd = Pick<DeliveryResult, 'outcome' | 'error'>;

/** Claims the delivery. Returns a result if it cannot be processed now. */
async function claim(work: Work, attemptId: string): Promise<DeliveryResult | undefined> {
  const { dedupe, key, event, log, storeTimeoutMs } = work;
  let claiming: Claim | Promise<Claim> | undefined;
  try {
    const claimed = await withinDeadline(storeTimeoutMs, () => {
      claiming = dedupe.claim(key, attemptId);
      return claiming;
    });
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

/** Beyond this many abandoned claims, each is released only once, so that an outage does not cause a flood. */
const mostAbandoned = 100;
let abandoned = 0;

/**
 * The claim may have been written although its response was late or lost, so this releases it. It is released again a
 * few seconds later: after a partition, the claim itself can arrive that late.
 */
async function abandon(claiming: unknown, work: Work, attemptId: string): Promise<void> {
  const { dedupe, key, storeTimeoutMs } = work;
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

/** At most 10 s, because the other attempt can be done long before its lease ends. */
function retryAfter(leftMs: number): number {
  return Math.max(1, Math.min(10, Math.ceil(leftMs / 1000)));
}

/** Another attempt is seconds away, so the response need not wait for long. */
const longestReleaseMs = 1000;

async function release(work: Work, attemptId: string): Promise<void> {
  const { dedupe, key, event, log, storeTimeoutMs } = work;
  const write = () => dedupe.release(key, attemptId);
  try {
    await withinDeadline(Math.min(storeTimeoutMs, longestReleaseMs), write);
  } catch (error) {
    log(`Failed to release webhook ${event.id} in the dedupe store; retrying`, error);
    void retryInBackground(() => withinDeadline(storeTimeoutMs, write), dedupe.leaseMs);
  }
}

async function runCallback(
  { dedupe, key, event, log, storeTimeoutMs }: Work,
  attemptId: string,
  callback: WebhookCallback<never>,
): Promise<CallbackEnd> {
  const lease = keepLease(dedupe, key, attemptId, storeTimeoutMs);
  const commitWith = async (query: SqlQuery) => {
    // From here on, the caller's transaction locks the row, and a renewal would wait for it.
    lease.stop();
    if (!dedupe.commitWith)
      misconfigured('this dedupe store has no commitWith', 'Use postgresDedupe.');
    await dedupe.commitWith(query, key, attemptId);
  };
  try {
    await callback(event as never, { signal: lease.signal, attemptId, commitWith });
    return { outcome: 'processed' };
  } catch (error) {
    const outcome = outcomeOf(error);
    if (outcome !== 'lease_lost')
      log(`Failed to handle webhook ${event.type} ${event.id}: the callback threw`, error);
    return { outcome, error };
  } finally {
    lease.stop();
  }
}

/**
 * Waits for a call to a store, but no longer than `ms`. The call itself cannot be canceled: it can still take effect
 * later.
 */
export async function withinDeadline<T>(
  ms: number,
  call: () => T | Promise<T>,
  name = 'dedupe store',
): Promise<T> {
  const result = call();
  if (!isPromise(result)) return result;
  let timer: Timer | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const expire = () => reject(new Error(`The ${name} did not respond within ${ms} ms.`));
    timer = setTimer(expire, Math.min(ms, longestTimerMs));
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimer(timer);
  }
}

/** Whether there is something to wait for: a store in memory might not return a promise. */
const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof (value as Promise<unknown> | undefined)?.then === 'function';

/** A longer lease is renewed daily, well within what timers support. */
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
  let renewedAt = elapsed();
  const renew = async () => {
    const start = elapsed();
    try {
      if (await withinDeadline(storeTimeoutMs, () => dedupe.renew(key, attemptId)))
        renewedAt = start;
      else lost.abort(new LeaseLostError());
    } catch {
      // The lease is not lost yet just because the store failed: the next renewal can succeed.
      if (start - renewedAt >= dedupe.leaseMs) lost.abort(new LeaseLostError());
    }
  };
  const timer = setRepeatingTimer(renew, Math.min(dedupe.leaseMs / 3, maxRenewalMs));
  return { signal: lost.signal, stop: () => clearTimer(timer) };
}

/** The waits before each of the four tries. Most outages of a store end within 2.1 s. */
const waitsMs = [0, 100, 400, 1600];

/**
 * Writes the done mark. Resolves when it is written, or when the response can wait no longer: after four failures, or
 * when `storeTimeoutMs` has passed. It then keeps trying in the background until the lease expires, because until then
 * no other attempt can run the callback again. Never throws: an error response would make the sender repeat the effect.
 */
async function markDone(work: Work, attemptId: string): Promise<void> {
  const { dedupe, key, event, log, storeTimeoutMs } = work;
  const write = () => dedupe.complete(key, attemptId);
  const end = elapsed() + storeTimeoutMs;
  let failure: unknown;
  for (const waitMs of waitsMs) {
    if (waitMs >= end - elapsed()) break;
    if (waitMs > 0) await sleep(waitMs);
    try {
      return await withinDeadline(Math.ceil(end - elapsed()), write);
    } catch (error) {
      failure = error;
    }
  }
  log(`Failed to mark webhook ${event.id} as done in the dedupe store; retrying`, failure);
  void retryInBackground(() => withinDeadline(storeTimeoutMs, write), dedupe.leaseMs);
}

/** Tries every 5 s, or more often under a short lease, until the lease has expired. Does not keep the process alive. */
async function retryInBackground(write: () => Promise<void>, leaseMs: number): Promise<void> {
  const end = elapsed() + leaseMs;
  const waitMs = Math.min(5000, leaseMs / 8);
  while (elapsed() < end) {
    await sleep(waitMs, (timer) => timer.unref?.());
    try {
      return await write();
    } catch {}
  }
}

function sleep(ms: number, started?: (timer: { unref?(): void }) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer: unknown = setTimer(resolve, ms);
    started?.(Object(timer));
  });
}

/**
 * A signal that follows both until `stop` is called, because one of them can outlive many messages. Edge runtimes have
 * no `AbortSignal.any`.
 */
export function joinSignals(lease: AbortSignal, ending: AbortSignal | undefined) {
  if (!ending) return { signal: lease, stop() {} };
  const joined = new AbortController();
  const followed = [lease, ending].map((signal) =>
    onAbort(signal, () => joined.abort(signal.reason)),
  );
  return {
    signal: joined.signal,
    stop: () => {
      for (const unfollow of followed) unfollow();
    },
  };
}
