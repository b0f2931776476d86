/** A control call that cannot be done: no such row, a state that forbids it, or an argument out of range. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly code: 'not_found' | 'invalid_state' | 'validation_failed';

  constructor(code: ControlError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
