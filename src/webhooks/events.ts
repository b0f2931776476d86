import type { components } from '../generated/openapi.ts';

type Schemas = components['schemas'];

/** The payload of each event type, as the contract declares it. */
export interface WebhookPayloads {
  generation_completed: Schemas['GenerationCompletedCallback'];
  generation_failed: Schemas['GenerationFailedCallback'];
  usage_threshold: Schemas['UsageThresholdEvent'];
  invoice_paid: Schemas['InvoicePaidEvent'];
  invoice_payment_failed: Schemas['InvoicePaymentFailedEvent'];
  data_updated: Schemas['DataUpdatedEvent'];
}

/** The types that this version knows. */
export type WebhookEventType = keyof WebhookPayloads;

interface EventOf<Type extends string, Payload> {
  /**
   * The `webhook-id`: the same on every attempt of a delivery. Where the deployment sends none,
   * `requestId:status` of a result callback, else `sha256:` + hex of the body.
   */
  readonly id: string;
  readonly type: Type;
  /** Unix seconds of this attempt; absent only where the deployment sends no `webhook-timestamp`. */
  readonly timestamp?: number;
  readonly payload: Payload;
}

/** The event of one type. */
export type WebhookEventOf<Type extends WebhookEventType> = {
  [Name in Type]: EventOf<Name, WebhookPayloads[Name]>;
}[Type];

/**
 * Stands for any type that this version does not know. At run time it is that type's own name; the
 * literal keeps comparisons with known types narrowing.
 */
export type LaterEventType = '(a later type)';

/** An event of a later version: verified, its payload not described. */
export type LaterWebhookEvent = EventOf<LaterEventType, Readonly<Record<string, unknown>>>;

/** An event of a type that this version knows. */
export type KnownWebhookEvent = WebhookEventOf<WebhookEventType>;

/** A verified event: a union discriminated by `type`, open for later types. */
export type WebhookEvent = KnownWebhookEvent | LaterWebhookEvent;

/** Our name of a type → the name that the deployment sends in `event`. */
export type EventNames = { readonly [Type in WebhookEventType]?: string };

type Payload = Readonly<Record<string, unknown>>;

/**
 * The type of a payload: its `event`; else a result callback's by `status`, `error` and `result`; else
 * `unknown`.
 */
export function typeOf({ event, status, error, result }: Payload): string {
  if (typeof event === 'string') return event;
  if (status === 'failed' || error != null) return 'generation_failed';
  return typeof result === 'string' ? 'generation_completed' : 'unknown';
}
