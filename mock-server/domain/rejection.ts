import type { ProblemCode } from '../contract.ts';

const brand = Symbol('rejection');

/** One invalid field or parameter of a request, as a 422 lists it. */
export interface FieldError {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code: string;
  readonly message: string;
}

/** Why an operation was rejected. An expected outcome, so it is a value here; it becomes an error only on the wire. */
export interface Rejection {
  /** No parsed body can carry it: only `reject` makes a rejection. */
  readonly [brand]: true;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly retryAfterMs?: number;
  /** Milliseconds since the Unix epoch; set only for `quota_exceeded`. */
  readonly resetsAt?: number;
  readonly generationId?: string;
}

type Extras = Omit<Rejection, typeof brand | 'code' | 'detail'>;

export function reject(code: ProblemCode, detail: string, extras: Extras = {}): Rejection {
  return { [brand]: true, code, detail, ...extras };
}

export function rejectField(pointer: string, code: string, message: string): Rejection {
  return reject('validation_failed', `The request is not valid: ${message}`, {
    errors: [{ pointer, code, message }],
  });
}

export function isRejection(value: unknown): value is Rejection {
  return typeof value === 'object' && value !== null && brand in value;
}
