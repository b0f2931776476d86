import type { ProblemCode } from '../contract.ts';

/** One fault of a request, as a 422 lists it. */
export interface FieldError {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code: string;
  readonly message: string;
}

/** An expected no: a value here, an error only at the wire. */
export interface Refusal {
  readonly refused: ProblemCode;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly retryAfterMs?: number;
  /** Milliseconds since the Unix epoch; `quota_exceeded` alone has it. */
  readonly resetsAt?: number;
  readonly generationId?: string;
}

type Extras = Omit<Refusal, 'refused' | 'detail'>;

export function refuse(code: ProblemCode, detail: string, extras: Extras = {}): Refusal {
  return { refused: code, detail, ...extras };
}

export function refuseField(pointer: string, code: string, message: string): Refusal {
  return refuse('validation_failed', `The request is not valid: ${message}`, {
    errors: [{ pointer, code, message }],
  });
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value;
}
