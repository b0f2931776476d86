import { abortSignal, callback, integerFrom, type OptionRules } from '../../option-rules.ts';
import { elapsed, now as platformNow } from '../../platform/driver.ts';
import { assertOptions, checkedLater, kindOf, misconfigured } from '../../signing/errors.ts';
import type { WebhookEvent } from '../events.ts';
import type { WebhookHandler } from '../handler.ts';
import type { WebhookProcessor } from '../processor.ts';
import { toMessage } from '../queue/message.ts';
import { assertHandled } from '../queue/retry-error.ts';
import { patiently, type ReconcileClient, type ReconcileGeneration, sleepUntil } from './client.ts';
import { findMissed, type Missed } from './missed.ts';
import { readSince } from './since.ts';

/** Options of {@link reconcile}. */
export interface ReconcileOptions {
  /** A client with the role `admin`. */
  readonly client: ReconcileClient;
  /** The handler whose callbacks are run, or whose queue is fed. */
  readonly handler?: Pick<WebhookHandler, 'handle'>;
  /** The processor, in place of a handler. Without either, the service is asked to redeliver. */
  readonly processor?: Pick<WebhookProcessor, 'process'>;
  /**
   * Since when: a `Date`, RFC 3339, or a duration such as `'3 days'`. Not longer ago than the dedupe store remembers
   * (`ttlMs`, 10 days), or older deliveries are handled twice.
   */
  readonly since: Date | string;
  /**
   * Needed if the handler's `dedupeKey` reads the request, which is missing here. Must return the same key.
   * @default the handler's, or event.id
   */
  readonly dedupeKey?: (event: WebhookEvent) => string;
  /** How many deliveries are handled at once, a whole number from 1 to 100. @default 4 */
  readonly concurrency?: number;
  /** The current time of the service in ms. @default Date.now */
  readonly now?: () => number;
  /** Aborting it makes `reconcile` reject with its reason. What was handled stays handled. */
  readonly signal?: AbortSignal;
  /** Called after each missed delivery. An error thrown here stops `reconcile`. */
  readonly onProgress?: (progress: ReconcileProgress) => void;
}

/** Progress so far. */
export interface ReconcileProgress {
  /** How many deliveries were checked. */
  readonly checked: number;
  /** How many of them were missed. */
  readonly missed: number;
  /** How many were handled now: by a callback, by a queue, or by asking the service to redeliver them. */
  readonly delivered: number;
  /** How many of those the service was asked to redeliver: system events, whose content cannot be fetched. */
  readonly requested: number;
  /** How many the receiver had already handled, although the service has no successful attempt. */
  readonly duplicates: number;
  /** How many could not be handled. */
  readonly failed: number;
  /**
   * Pass it as `since` to continue from here: everything before is handled. RFC 3339, with five minutes of overlap for
   * clocks that differ.
   */
  readonly next: string;
}

/** What `reconcile` did. */
export interface ReconcileReport extends ReconcileProgress {
  /**
   * The ids of registrations that are disabled or have been since `since`. Their deliveries from before are among the
   * missed; what happened while they were disabled has no delivery at all, so read that state from the API.
   */
  readonly interrupted: readonly string[];
  /** Why deliveries failed, for the first hundred. */
  readonly failures: readonly ReconcileFailure[];
}

/** A delivery that could not be handled. */
export interface ReconcileFailure {
  /** The `webhook-id`. */
  readonly messageId: string;
  /** The generation of a result callback. */
  readonly requestId?: string;
  /** What the callback or the service threw. */
  readonly error: unknown;
}

const rules: OptionRules<ReconcileOptions> = {
  client: checkedLater,
  handler: checkedLater,
  processor: checkedLater,
  since: checkedLater,
  dedupeKey: callback,
  concurrency: integerFrom(1, 100),
  now: callback,
  signal: abortSignal,
  onProgress: callback,
};

const keptFailures = 100;
const overlapMs = 300_000;
/** How long a delivery that is in flight elsewhere is waited for: longer than the lease of a killed process. */
const patienceMs = 120_000;

/**
 * Catches up after an outage. Finds everything that has not been delivered since `since` and runs your callbacks for the
 * missed results, oldest first. Each keeps its `webhook-id`, so the dedupe store prevents it from being handled twice.
 * The service redelivers system events. Waits for rate limits. Run it again with `since: report.next` to continue, or to
 * retry what failed.
 *
 * @throws WebhookConfigurationError when an option is unknown or wrong.
 * @throws the errors of the client, for instance PermissionDeniedError without the role `admin`.
 * @example
 * const report = await reconcile({ client, handler, since: '3 days' });
 * console.log(report.delivered, report.failed, report.next);
 */
export async function reconcile(options: ReconcileOptions): Promise<ReconcileReport> {
  assertOptions(options, rules);
  const { client, signal, onProgress, now = platformNow, concurrency = 4 } = options;
  const target = readTarget(options);
  const started = now();
  const since = new Date(readSince(options.since, started)).toISOString();
  const callOptions = signal ? { signal } : {};
  signal?.throwIfAborted();
  const { checked, missed, pendingSince, interrupted } = await findMissed(
    client,
    since,
    callOptions,
  );

  const counts = { delivered: 0, requested: 0, duplicates: 0, failed: 0 };
  const failures: ReconcileFailure[] = [];
  /** The deliveries not known to be handled, oldest first. */
  const open = new Set(missed);
  const progress = (): ReconcileProgress => {
    const oldest = Math.min(started, pendingSince, firstOf(open)?.createdAt ?? started);
    const next = new Date(Math.max(0, oldest - overlapMs)).toISOString();
    return { checked, missed: missed.length, ...counts, next };
  };
  const handle = async (one: Missed) => {
    try {
      const outcome = await handOver(options, target, one);
      if (outcome === 'duplicate') counts.duplicates += 1;
      else counts.delivered += 1;
      if (outcome === 'requested') counts.requested += 1;
      // The outcome of a redelivery is not known yet.
      else open.delete(one);
    } catch (error) {
      signal?.throwIfAborted();
      const { messageId, requestId } = one;
      counts.failed += 1;
      if (failures.length < keptFailures)
        failures.push({ messageId, ...(requestId !== undefined && { requestId }), error });
    }
    onProgress?.(progress());
  };
  const queue = missed.values();
  let isStopped = false;
  const work = async () => {
    for (const one of queue) {
      if (isStopped) return;
      signal?.throwIfAborted();
      await handle(one);
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
  } finally {
    isStopped = true;
  }
  return { ...progress(), interrupted: [...interrupted], failures };
}

/** Handles a callback whose content was fetched. Rejects if it must be retried. */
type Handle = (event: WebhookEvent) => Promise<{ readonly outcome: string }>;

function readTarget(options: ReconcileOptions): Handle | undefined {
  const { client, handler, processor, dedupeKey } = options;
  if (typeof client?.webhooks?.listCallbackDeliveries !== 'function')
    misconfigured(`client is ${kindOf(client)}`, 'Pass a ContentGen with the role admin.');
  if (handler && processor)
    misconfigured('handler and processor are both given', 'Pass the one that runs the callbacks.');
  if (handler && typeof handler.handle !== 'function')
    misconfigured(
      `handler is ${kindOf(handler)} without handle()`,
      'Pass what createWebhookHandler returned.',
    );
  if (processor && typeof processor.process !== 'function')
    misconfigured(
      `processor is ${kindOf(processor)} without process()`,
      'Pass what createWebhookProcessor returned.',
    );
  if (processor)
    return (event) => {
      const body = JSON.stringify(event.payload);
      return processor.process(toMessage(event, dedupeKey?.(event) ?? event.id, body));
    };
  if (!handler) return undefined;
  return async (event) => {
    const result = await handler.handle(event, dedupeKey?.(event));
    assertHandled(result);
    return result;
  };
}

/** Handles a missed delivery: here if its content can be fetched, otherwise by asking the service. */
async function handOver(
  { client, signal }: ReconcileOptions,
  handle: Handle | undefined,
  { messageId, requestId, deliveryId, isDisabled }: Missed,
): Promise<string> {
  const options = signal ? { signal } : {};
  if (handle && requestId !== undefined) {
    const generation = await patiently(() => client.content.get(requestId, options), signal);
    return (await unlessInFlight(() => handle(callbackEvent(generation, messageId)), signal))
      .outcome;
  }
  if (deliveryId === undefined)
    throw new Error('The service has no delivery of this callback. Pass a handler or a processor.');
  if (isDisabled) throw new Error('The registration is disabled. Enable it, then reconcile again.');
  try {
    await patiently(() => client.webhooks.redeliver(deliveryId, options), signal);
  } catch (error) {
    // An attempt is in flight already.
    if (Object(error).code !== 'invalid_state') throw error;
  }
  return 'requested';
}

/** Waits while another process handles the delivery, for instance a second `reconcile`. */
async function unlessInFlight<T>(
  call: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const end = elapsed() + patienceMs;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const { code, retryAfterMs } = Object(error) as { code?: unknown; retryAfterMs?: unknown };
      if (code !== 'in_flight' || elapsed() > end) throw error;
      await sleepUntil(platformNow() + Number(retryAfterMs), signal);
    }
  }
}

const firstOf = <T>(set: ReadonlySet<T>): T | undefined => set.values().next().value;

/** The fields of a generation that are part of its callback. */
const fields = /^(requestId|status|result|model|usage|error|metadata|completedAt)$/;

/** The callback that a generation had, or would have had. */
function callbackEvent(generation: ReconcileGeneration, messageId: string): WebhookEvent {
  const payload = Object.fromEntries(
    Object.entries(generation).filter(([name]) => fields.test(name)),
  );
  const type = generation.status === 'failed' ? 'generation_failed' : 'generation_completed';
  return { id: messageId, type, payload } as unknown as WebhookEvent;
}
