import type { Dedupe, SqlQuery } from './dedupe/lease-times.ts';
import type { SecretInput, VerificationOptions } from './defaults.ts';
import type { WebhookErrorCode } from './errors.ts';
import type { WebhookEvent, WebhookEventOf, WebhookEventType } from './events.ts';
import type { Enqueue } from './queue/message.ts';

/** What is known about a delivery before it is verified. Do not trust any of it. */
export interface RequestFacts {
  /** The HTTP method. */
  readonly method: string;
  /** Absolute, or only a path if the runtime knows no more. */
  readonly url: string;
  /** The headers. */
  readonly headers: Headers;
}

/** What a callback gets besides its event. */
export interface WebhookContext {
  /**
   * Aborted when the lease is lost (another attempt took over, the store forgot it, or it could not be renewed in time),
   * and after `maxHandlingMs`.
   */
  readonly signal: AbortSignal;
  /** Identifies this attempt to handle the delivery. */
  readonly attemptId: string;
  /**
   * Writes the done mark in your own transaction, so that effect and mark commit together. Only with `postgresDedupe`.
   *
   * @throws LeaseLostError when another attempt took over: let the transaction roll back.
   */
  commitWith(query: SqlQuery): Promise<void>;
}

/** Handles one event. If it throws, the sender retries; a `PermanentError` prevents that. */
export type WebhookCallback<Event> = (event: Event, context: WebhookContext) => unknown;

type ChosenSecret = SecretInput | null | undefined;

/**
 * Wraps the callback of each event, to run code before and after it. Call `next` once: it runs the callback. What the
 * callback throws decides what happens to the delivery, unless the middleware catches it.
 *
 * @example
 * const timed: WebhookMiddleware = async (event, next) => {
 *   const start = performance.now();
 *   await next();
 *   console.log(event.type, performance.now() - start);
 * };
 */
export type WebhookMiddleware = (
  event: WebhookEvent,
  next: () => Promise<void>,
  context: WebhookContext,
) => Promise<void>;

/** How one delivery ended, for metrics. */
export interface DeliveryReport {
  /** The HTTP status of the response. */
  readonly status: number;
  /** What became of the delivery. */
  readonly outcome:
    | 'processed'
    | 'ignored'
    | 'duplicate'
    | 'queued'
    | 'enqueue_failed'
    | 'in_flight'
    | 'permanent_error'
    | 'callback_failed'
    | 'rejected'
    | 'lease_lost'
    | 'store_failed'
    | 'misconfigured'
    | 'method_not_allowed';
  /** Why it was rejected. */
  readonly code?: WebhookErrorCode;
  /** What the callback threw, if it did. */
  readonly error?: unknown;
  /** Only for a verified delivery. */
  readonly event?: WebhookEvent;
  /** How long it took to handle, ms. */
  readonly durationMs: number;
}

/** What happens to verified events: the same in a handler and in a processor. */
export interface CallbackOptions extends Pick<VerificationOptions, 'logger' | 'now'> {
  /**
   * One callback per type. Without `onOther`, other types are acknowledged, and not remembered as handled; in
   * development, a known one is logged once.
   */
  readonly on?: { readonly [Type in WebhookEventType]?: WebhookCallback<WebhookEventOf<Type>> };
  /**
   * Handles every event that has no callback of its own, known to this version or not. Without it, a delivery that names
   * no event is rejected with 500. @default undefined
   */
  readonly onOther?: WebhookCallback<WebhookEvent>;
  /** Remembers handled deliveries. Several processes must share a store. @default memoryDedupe() */
  readonly dedupe?: Dedupe;
  /**
   * How long a response waits for one step of the dedupe store or `enqueue`, in ms, at least 10; for all of
   * them together, it waits at most a second longer. If a claim takes longer, the response is 503; if the done mark
   * does, it is 200, and the mark is still written in the background. @default 4_000
   */
  readonly storeTimeoutMs?: number;
  /**
   * How long a callback can take, in ms, at least 10. After that its `signal` is aborted, the response is 500, and once
   * its lease has ended, another attempt can run. @default 600_000 (10 minutes)
   */
  readonly maxHandlingMs?: number;
  /**
   * Functions that wrap each callback; the first is the outermost. They run once the delivery is verified and claimed,
   * and only for events that have a callback. @default []
   */
  readonly middleware?: readonly WebhookMiddleware[];
}

/** Options for processing one message. */
export interface ProcessOptions {
  /** Aborts the signal of the callback, for instance when the worker shuts down. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `createWebhookHandler`. */
export interface WebhookHandlerOptions
  extends Omit<VerificationOptions, 'secret'>,
    CallbackOptions {
  /**
   * The signing secret(s), or a function that reads or chooses them for each delivery, so that a build needs none. If
   * the function returns `null`, the delivery is rejected as coming from an unknown sender. If it returns `undefined`,
   * for instance because a variable is not set, that is logged and the response is 500.
   *
   * @example
   * createWebhookHandler({ secret: () => process.env.CONTENTGEN_WEBHOOK_SECRET });
   */
  readonly secret?: SecretInput | ((facts: RequestFacts) => ChosenSecret | Promise<ChosenSecret>);
  /**
   * The key under which a delivery is remembered; if it is not a non-empty string, the response is 500. If tenants
   * share a store, prefix the id with the tenant whose secret matched, never with the URL: it is not signed, so a
   * replay can use another one. @default event.id
   */
  readonly dedupeKey?: (event: WebhookEvent, facts: RequestFacts) => string;
  /**
   * Puts verified deliveries on a queue instead of running callbacks here: one durable write, then the 200. If it
   * rejects or takes longer than `storeTimeoutMs`, the response is 503 and the sender retries. Callbacks, `dedupe` and
   * `middleware` go to `createWebhookProcessor`, whose `process()` takes `raw`.
   *
   * @example
   * createWebhookHandler({ secret, enqueue: (event, raw) => queue.send(raw) });
   */
  readonly enqueue?: Enqueue;
  /** Called after every delivery. An error thrown here is ignored. */
  readonly onDelivery?: (report: DeliveryReport) => void;
}
