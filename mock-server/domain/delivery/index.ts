export { createAttemptHandler } from './attempt.ts';
export { redeliver, redeliverFailed, sendTest } from './redeliver.ts';
