import type { KnownWebhookEvent, WebhookEvent, WebhookEventType } from './events.ts';

const known: Record<WebhookEventType, 1> = {
  generation_completed: 1,
  generation_failed: 1,
  usage_threshold: 1,
  invoice_paid: 1,
  invoice_payment_failed: 1,
  data_updated: 1,
};

/** Whether a text is a type that this version knows; names of the prototype are none. */
export function isKnownType(type: string): type is WebhookEventType {
  return Object.hasOwn(known, type);
}

/** Whether an event is of a type that this version knows. */
export function isKnownEvent(event: WebhookEvent): event is KnownWebhookEvent {
  return isKnownType(event.type);
}
