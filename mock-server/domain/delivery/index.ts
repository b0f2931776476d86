export { type AttemptOptions, createAttemptHandler } from './attempt.ts';
export type { DisabledReason } from './health.ts';
export { disableWebhook, enableWebhook } from './health.ts';
export { cancelPending, enqueueDelivery, type NewDelivery } from './queue.ts';
export { type Redelivery, redeliver, redeliverFailed, sendTest } from './redeliver.ts';
