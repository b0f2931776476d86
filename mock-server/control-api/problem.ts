/** The codes of the control API, with their status and its name. */
const CODES: ReadonlyMap<string, readonly [status: number, title: string]> = new Map([
  ['invalid_json', [400, 'Bad Request']],
  ['control_token_required', [401, 'Unauthorized']],
  ['control_forbidden', [403, 'Forbidden']],
  ['not_found', [404, 'Not Found']],
  ['method_not_allowed', [405, 'Method Not Allowed']],
  ['invalid_state', [409, 'Conflict']],
  ['payload_too_large', [413, 'Payload Too Large']],
  ['unsupported_media_type', [415, 'Unsupported Media Type']],
  ['validation_failed', [422, 'Unprocessable Content']],
  ['internal_error', [500, 'Internal Server Error']],
  ['unavailable', [503, 'Service Unavailable']],
]);

/** A request that the control API rejects. */
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
  if (error instanceof Error && typeof code === 'string' && CODES.has(code)) {
    return new ControlProblem(code, error.message);
  }
  if (error instanceof TypeError || error instanceof RangeError) {
    return new ControlProblem('validation_failed', error.message);
  }
  return new ControlProblem('internal_error', 'The server failed unexpectedly.');
}

/** A problem document (RFC 9457). */
export function problemResponse(
  { code, message }: ControlProblem,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const [status, title] = CODES.get(code) ?? [500, 'Error'];
  const type = `https://api.contentgen.test/problems/${code.replaceAll('_', '-')}`;
  const body = { type, title, status, detail: message, code };
  return jsonResponse(status, body, { ...headers, 'content-type': 'application/problem+json' });
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
