import { problemMembers } from '../api/problem.ts';

/** The status of the codes that the service does not have. */
const OWN: ReadonlyMap<string, number> = new Map([
  ['control_token_required', 401],
  ['control_forbidden', 403],
]);

/** The codes of control calls. Another copy of the package throws another class. */
const CALL_CODES = ['not_found', 'invalid_state', 'validation_failed'];

export class ControlProblem extends Error {
  override readonly name = 'ControlProblem';
  readonly code: string;

  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** Turns what a control call threw into the problem to send. The cause of an unexpected error is not sent. */
export function problemOf(error: unknown): ControlProblem {
  if (error instanceof ControlProblem) return error;
  const code = (error as { code?: unknown } | null)?.code;
  if (error instanceof Error && CALL_CODES.includes(String(code))) {
    return new ControlProblem(String(code), error.message);
  }
  if (error instanceof TypeError || error instanceof RangeError) {
    return new ControlProblem('validation_failed', error.message);
  }
  return new ControlProblem('internal_error', 'The server failed unexpectedly.');
}

export function problemResponse(
  { code, message }: ControlProblem,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = problemMembers(code, message, OWN.get(code));
  const type = { 'content-type': 'application/problem+json' };
  return jsonResponse(body.status, body, { ...headers, ...type });
}

export function jsonResponse(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  });
}
