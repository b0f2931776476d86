/** An answer as bytes, before any platform's Response is made of it. */
export interface Reply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | ReadableStream<Uint8Array> | null;
  /** The connection breaks in place of an answer. */
  readonly broken?: true;
}

/** Makes of a reply what the adapter sends. */
export type MakeResponse = (
  body: BodyInit | null,
  init: { status: number; headers: Record<string, string> },
) => Response;

const encoder = new TextEncoder();

const EXPOSED =
  'X-Request-Id, API-Version, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, WWW-Authenticate';

/** On every answer of the public API. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
} as const;

export function jsonReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>,
  contentType = 'application/json',
): Reply {
  return textReply(status, JSON.stringify(body), headers, contentType);
}

export function textReply(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
  contentType: string,
): Reply {
  const bytes = encoder.encode(text);
  return {
    status,
    headers: { ...headers, 'content-type': contentType, 'content-length': String(bytes.length) },
    body: bytes,
  };
}

/** Open to all: no credentials are asked of a preflight. */
export function preflightReply(request: Request, headers: Readonly<Record<string, string>>): Reply {
  const asked = request.headers.get('access-control-request-headers');
  return {
    status: 204,
    headers: {
      ...headers,
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE, OPTIONS',
      ...(asked !== null && { 'access-control-allow-headers': asked }),
      'access-control-max-age': '600',
      vary: 'Access-Control-Request-Headers',
    },
    body: null,
  };
}

const nativeResponse: MakeResponse = (body, init) => new Response(body, init);

export function toResponse(reply: Reply, make: MakeResponse = nativeResponse): Response {
  if (reply.broken) return Response.error();
  const { status, headers, body } = reply;
  return make(body as BodyInit | null, { status, headers: headers as Record<string, string> });
}
