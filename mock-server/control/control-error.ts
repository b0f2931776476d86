/**
 * Thrown by control calls: `not_found` when nothing has that id, `invalid_state` when its state does not allow the
 * call, `validation_failed` when an argument is wrong, `unavailable` when another process leads.
 */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly code: 'not_found' | 'invalid_state' | 'validation_failed' | 'unavailable';

  constructor(code: ControlError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Throws a `validation_failed` unless the condition holds. */
export function assertArgument(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ControlError('validation_failed', message);
}

/** The error for an id that does not exist, or that belongs to another organization. */
export function notFound(kind: string, id: string): ControlError {
  return new ControlError('not_found', `No ${kind} has the id ${JSON.stringify(id)}.`);
}
