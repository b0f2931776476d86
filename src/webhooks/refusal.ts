import type { CheckInput } from '../signing/create-scheme.ts';
import type { WebhookErrorCode } from './errors.ts';

/**
 * Thrown inside the verifier: what becomes a `WebhookVerificationError`, whose texts are loaded only then.
 * It has no stack, so that a flood of forged deliveries stays cheap.
 */
export interface Refusal {
  readonly code: WebhookErrorCode;
  /** Names a header or place, never a value from outside. */
  readonly detail?: string | undefined;
  readonly cause?: unknown;
  /** Whose signature the scheme refused; explained in development. */
  readonly delivery?: CheckInput | undefined;
  readonly isRefusal: true;
}

/** Refuses a delivery. */
export function refuse(code: WebhookErrorCode, detail?: string, cause?: unknown): never {
  throw { code, detail, cause, isRefusal: true } satisfies Refusal;
}

/** Whether what was thrown is a {@link Refusal}, also one of another entry's copy. */
export function isRefusal(thrown: unknown): thrown is Refusal {
  return !!(thrown as Refusal | undefined)?.isRefusal;
}
