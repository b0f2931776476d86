/**
 * A call that the control API rejected; `code` is the problem's code. If there was no response, `status` is 0, `code`
 * is `unreachable` and `cause` says why.
 */
export class MockControlError extends Error {
  /** Always `MockControlError`. */
  override readonly name = 'MockControlError';
  /** The HTTP status of the response. */
  readonly status: number;
  /** The code of the response. */
  readonly code: string;

  constructor(status: number, code: string, detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
  }
}

/** Something else is listening there, or it has another version. */
export function notTheControlApi(status: number): MockControlError {
  const detail = `The control API responded with status ${status} and an unexpected body. Check that \`contentgen mock\` is running there.`;
  return new MockControlError(status, 'unexpected_response', detail);
}
