import type { components } from '../generated/openapi.ts';

type Schemas = components['schemas'];

/** The payload of each event type, as declared in the contract. */
export interface WebhookPayloads {
  generation_completed: Schemas['GenerationCompletedCallback'];
  generation_failed: Schemas['GenerationFailedCallback'];
  usage_threshold: Schemas['UsageThresholdEvent'];
  invoice_paid: Schemas['InvoicePaidEvent'];
  invoice_payment_failed: Schemas['InvoicePaymentFailedEvent'];
  data_updated: Schemas['DataUpdatedEvent'];
}

/** The event types that this version knows. */
export type WebhookEventType = keyof WebhookPayloads;

interface EventOf<Type extends string, Payload> {
  /**
   * The `webhook-id`, the same on every attempt of a delivery. If the deployment sends none:
   * `requestId:status` for a result callback, `sha256:` + hex of the body for everything else.
   */
  readonly id: string;
  readonly type: Type;
  /** Unix seconds of this attempt; missing only if the deployment sends no `webhook-timestamp`. */
  readonly timestamp?: number;
  readonly payload: Payload;
}

/** The event of one type. */
export type WebhookEventOf<Type extends WebhookEventType> = {
  [Name in Type]: EventOf<Name, WebhookPayloads[Name]>;
}[Type];

/**
 * Stands for any type that this version does not know. At run time, `type` is the name that was sent; this
 * literal only makes comparisons with known types narrow.
 */
export type LaterEventType = '(a later type)';

/** A verified event of a type that this version does not know. */
export type LaterWebhookEvent = EventOf<LaterEventType, Readonly<Record<string, unknown>>>;

/** An event of a type that this version knows. */
export type KnownWebhookEvent = WebhookEventOf<WebhookEventType>;

/** A verified event: a union discriminated by `type`, open for later types. */
export type WebhookEvent = KnownWebhookEvent | LaterWebhookEvent;

/** Our name of a type → the name that the deployment sends in `event`. */
export type EventNames = { readonly [Type in WebhookEventType]?: string };

/** The schema of each type that this version knows, by its name in `contentgen/schemas`. */
export const schemaNames: Record<WebhookEventType, keyof Schemas> = {
  generation_completed: 'GenerationCompletedCallback',
  generation_failed: 'GenerationFailedCallback',
  usage_threshold: 'UsageThresholdEvent',
  invoice_paid: 'InvoicePaidEvent',
  invoice_payment_failed: 'InvoicePaymentFailedEvent',
  data_updated: 'DataUpdatedEvent',
};

/** Whether this version knows a type. */
export function isKnownType(type: string): type is WebhookEventType {
  return Object.hasOwn(schemaNames, type);
}

/** Whether this version knows the type of an event. */
export function isKnownEvent(event: WebhookEvent): event is KnownWebhookEvent {
  return isKnownType(event.type);
}
