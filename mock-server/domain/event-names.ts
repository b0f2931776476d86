import type { components } from '../contract.ts';

export type SystemEvent = components['schemas']['WebhookEvent'];
export type CallbackEvent = 'generation_completed' | 'generation_failed';

/** As records, so that a name that is missing or unknown does not compile. */
const SYSTEM: Readonly<Record<SystemEvent, true>> = {
  usage_threshold: true,
  invoice_paid: true,
  invoice_payment_failed: true,
  data_updated: true,
};
const CALLBACK: Readonly<Record<CallbackEvent, true>> = {
  generation_completed: true,
  generation_failed: true,
};

/** The events that a webhook can be registered for. */
export const systemEvents = Object.keys(SYSTEM) as readonly SystemEvent[];

/** The events that are posted to the callback URL of a generation. */
export const callbackEvents = Object.keys(CALLBACK) as readonly CallbackEvent[];
