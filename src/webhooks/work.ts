import type { Dedupe } from './dedupe/dedupe.ts';
import type { WebhookEvent } from './events.ts';
import type { WebhookCallback } from './handler-options.ts';

/** Logs a failure and the error behind it. */
export type LogFailure = (message: string, error: unknown) => void;

/** An event to process, and everything that takes. */
export interface Work {
  readonly dedupe: Dedupe;
  /** How long the response waits for one step of the store. */
  readonly storeTimeoutMs: number;
  /** The key of the delivery in the dedupe store. */
  readonly key: string;
  readonly event: WebhookEvent;
  readonly callback: WebhookCallback<never> | undefined;
  readonly log: LogFailure;
}
