import type { ProblemCode } from '../contract.ts';

/** One fault of a request, as a 422 lists it. */
export interface FieldError {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code: string;
  readonly message: string;
}

/** An expected no: a value here, an error only at the wire. */
export interface Rejection {
  readonly rejected: ProblemCode;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly retryAfterMs?: number;
  /** Milliseconds since the Unix epoch; `quota_exceeded` alone has it. */
  readonly resetsAt?: number;
  readonly generationId?: string;
}

type Extras = Omit<Rejection, 'rejected' | 'detail'>;

export function reject(code: ProblemCode, detail: string, extras: Extras = {}): Rejection {
  return { rejected: code, detail, ...extras };
}

export function rejectField(pointer: string, code: string, message: string): Rejection {
  return reject('validation_failed', `The request is not valid: ${message}`, {
    errors: [{ pointer, code, message }],
  });
}

export function isRejection(value: unknown): value is Rejection {
  return typeof value === 'object' && value !== null && 'rejected' in value;
}
