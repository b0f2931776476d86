/** A request that the control API rejects; `code` is the problem's code. */
export class ControlProblem extends Error {
  override readonly name = 'ControlProblem';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  not_found: 404,
  invalid_state: 409,
  validation_failed: 422,
  unavailable: 503,
};

export function invalid(detail: string): ControlProblem {
  return new ControlProblem(422, 'validation_failed', detail);
}

export function notFound(): ControlProblem {
  return new ControlProblem(404, 'not_found', 'Nothing exists at this address.');
}

export function accessProblem(detail: string): ControlProblem {
  return new ControlProblem(403, 'control_forbidden', detail);
}

/** Turns what a control call threw into the problem to send. The cause of an unexpected error is not sent. */
export function problemOf(error: unknown): ControlProblem {
  if (error instanceof ControlProblem) return error;
  const code = (error as { code?: unknown } | null)?.code;
  const status = typeof code === 'string' ? STATUS_OF_CODE[code] : undefined;
  if (status !== undefined && error instanceof Error) {
    return new ControlProblem(status, code as string, error.message);
  }
  if (error instanceof TypeError || error instanceof RangeError) return invalid(error.message);
  return new ControlProblem(500, 'internal_error', 'The server failed unexpectedly.');
}

/** A problem document (RFC 9457). */
export function problemResponse(
  { status, code, message }: ControlProblem,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const type = `https://api.contentgen.test/problems/${code.replaceAll('_', '-')}`;
  const body = { type, title: TITLES[status] ?? 'Error', status, detail: message, code };
  return jsonResponse(status, body, { ...headers, 'content-type': 'application/problem+json' });
}

export function jsonResponse(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  if (body === undefined) return new Response(null, { status, headers });
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
