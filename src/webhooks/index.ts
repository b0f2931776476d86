export { WebhookConfigurationError } from '../signing/errors.ts';
export { formatSecret, type WebhookSecret } from '../signing/secret.ts';
export type { Scheme } from '../signing/standard-scheme.ts';
export { standardScheme } from '../signing/standard-scheme.ts';
export type { ResultEvent } from './arrived-results.ts';
export type {
  Claim,
  Dedupe,
  DedupeStore,
  DedupeTimes,
  SqlQuery,
} from './dedupe/lease-times.ts';
export { type MemoryDedupeOptions, memoryDedupe } from './dedupe/memory.ts';
export type {
  SecretInput,
  VerificationOptions,
} from './defaults.ts';
export {
  isWebhookVerificationError,
  type WebhookErrorCode,
  WebhookVerificationError,
} from './errors.ts';
export type {
  KnownWebhookEvent,
  LaterEventType,
  LaterWebhookEvent,
  SchemasSource,
  WebhookEvent,
  WebhookEventOf,
  WebhookEventType,
  WebhookPayloads,
} from './events.ts';
export type { InboundDelivery, Receiver, Reply } from './handler.ts';
export { createWebhookHandler, type WebhookHandler } from './handler.ts';
export type {
  CallbackOptions,
  DeliveryReport,
  ProcessOptions,
  RequestFacts,
  WebhookCallback,
  WebhookContext,
  WebhookHandlerOptions,
  WebhookMiddleware,
} from './handler-options.ts';
export type { WebhookLogger } from './log.ts';
export {
  createWebhookProcessor,
  type ProcessResult,
  type WebhookProcessor,
  type WebhookProcessorOptions,
} from './processor.ts';
export { LeaseLostError, PermanentError } from './queue/give-up.ts';
export { type Enqueue, type WebhookMessage, WebhookMessageError } from './queue/message.ts';
export { WebhookRetryError } from './queue/retry-error.ts';
export { type SignWebhookOptions, signWebhook } from './sign.ts';
export type { BodyInput, HeadersInput } from './verify.ts';
export { type VerifyWebhookOptions, verifyWebhook } from './verify.ts';
