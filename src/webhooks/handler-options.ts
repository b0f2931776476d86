import type { Dedupe, SqlQuery } from './dedupe/dedupe.ts';
import type { WebhookErrorCode } from './errors.ts';
import type {
  LaterWebhookEvent,
  WebhookEvent,
  WebhookEventOf,
  WebhookEventType,
} from './events.ts';
import type { HeadersInput } from './headers.ts';
import type { SecretInput, VerificationOptions } from './settings.ts';

/** What is known of a delivery before it is verified: nothing in it is to be trusted. */
export interface RequestFacts {
  readonly method: string;
  /** Absolute, or a path where the runtime knows no more. */
  readonly url: string;
  readonly headers: HeadersInput;
}

/** What a callback may use besides its event. */
export interface WebhookContext {
  /** Aborted when the lease is lost, because the store forgot it or this process stood still too long. */
  readonly signal: AbortSignal;
  /** Names this attempt to handle the delivery. */
  readonly attemptId: string;
  /**
   * Writes the done mark through the caller's own transaction, so that effect and mark commit together
   * (`postgresDedupe` alone).
   *
   * @throws LeaseLostError when another attempt took over: let the transaction roll back.
   */
  commitWith(query: SqlQuery): Promise<void>;
}

/** Handles one event. What it throws makes the sender try again, but for `PermanentError`. */
export type WebhookCallback<Event> = (event: Event, context: WebhookContext) => unknown;

/** How one delivery was answered, for metrics. */
export interface DeliveryReport {
  readonly status: number;
  readonly outcome:
    | 'processed'
    | 'ignored'
    | 'duplicate'
    | 'in_flight'
    | 'permanent_error'
    | 'callback_failed'
    | 'refused'
    | 'lease_lost'
    | 'store_failed'
    | 'misconfigured'
    | 'method_not_allowed';
  /** Why it was refused. */
  readonly code?: WebhookErrorCode;
  /** Of a verified delivery. */
  readonly event?: WebhookEvent;
  readonly durationMs: number;
}

/** Options of `createWebhookHandler`. */
export interface WebhookHandlerOptions extends Omit<VerificationOptions, 'secret'> {
  /** The signing secret(s), or a function that chooses them per delivery; none: the delivery is refused. */
  readonly secret?:
    | SecretInput
    | ((facts: RequestFacts) => SecretInput | undefined | Promise<SecretInput | undefined>);
  /** One callback a type; known types without one are acknowledged. */
  readonly on?: { readonly [Type in WebhookEventType]?: WebhookCallback<WebhookEventOf<Type>> };
  /** Types of a later version. @default acknowledged */
  readonly onOther?: WebhookCallback<LaterWebhookEvent>;
  /** @default memoryDedupe() */
  readonly dedupe?: Dedupe;
  /** Under which key a delivery is remembered: prefix the id where several tenants share a store. @default event.id */
  readonly dedupeKey?: (event: WebhookEvent, facts: RequestFacts) => string;
  /** Told of every answer; what it throws is ignored. */
  readonly onDelivery?: (report: DeliveryReport) => void;
}

/** Thrown by a callback: the delivery is acknowledged and never comes again. */
export class PermanentError extends Error {
  override name = 'PermanentError';
  readonly code = 'webhook_permanent';
}
