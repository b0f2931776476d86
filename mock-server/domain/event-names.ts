import { callbacks, payloads } from '../../src/generated/names.ts';
import type { components } from '../contract.ts';

export type SystemEvent = components['schemas']['WebhookEvent'];
export type CallbackEvent = 'generation_completed' | 'generation_failed';

export const systemEvents = Object.keys(payloads) as readonly SystemEvent[];

/** The events that are posted to the callback URL of a generation. */
export const callbackEvents = Object.keys(callbacks) as readonly CallbackEvent[];

export { payloads };
