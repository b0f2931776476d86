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

interface Problem {
  readonly code?: string;
  readonly detail?: string;
}

/** The error for a response with an error status. */
export function toControlError({ status }: Response, text: string): MockControlError {
  let problem: Problem = {};
  try {
    problem = JSON.parse(text) as Problem;
  } catch {
    // Not a problem document: something else is listening there.
  }
  const detail = problem.detail ?? `The control API responded with status ${status}.`;
  return new MockControlError(status, problem.code ?? 'unexpected_response', detail);
}
