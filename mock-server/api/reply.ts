import { newRequestId } from '../domain/ids.ts';
import { isRejection, reject } from '../domain/rejection.ts';
import type { Call, CallOutcome, EventStream, Findings, Headers, Principal } from './call.ts';
import { isPieces, type Pieces, streamOf } from './pieces.ts';
import { type Problem, problemOf } from './problem.ts';

/** A response, independent of any platform's `Response`. */
export interface Reply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Headers;
  readonly body: string | Pieces | null;
  /** Nothing is sent: the connection breaks. */
  readonly broken?: true | undefined;
}

type MutableHeaders = Record<string, string>;

export interface MakeResponse {
  (body: BodyInit | null, init: { status: number; headers: Record<string, string> }): Response;
  /** It also takes `Pieces` in place of a web stream. */
  readonly takesPieces?: boolean;
}

const EXPOSED_HEADERS =
  'X-Request-Id, API-Version, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, WWW-Authenticate';

/** The reply to a call; for a rejected one, the problem document too. */
export function replyTo(
  call: Call,
  { route, rateHeaders }: Findings,
  requestId: string,
  outcome: CallOutcome,
): { reply: Reply; problem?: Problem['body'] } {
  const headers = commonHeaders(requestId);
  if (rateHeaders) Object.assign(headers, rateHeaders);
  if (outcome.headers) Object.assign(headers, outcome.headers);
  const { deployment } = call.service.options;
  if (isRejection(outcome)) {
    const problem = problemOf(outcome, requestId, outcome.status);
    const reply =
      deployment?.json.errors === undefined
        ? problemReply(problem, headers)
        : ownError(call, route, problem, headers);
    return { reply, problem: problem.body };
  }
  const { status, body, stream, yaml } = outcome;
  if (stream) return { reply: streamReply(stream, headers) };
  if (yaml !== undefined) return { reply: textReply(status, yaml, 'application/yaml', headers) };
  if (body === undefined) return { reply: { status, headers, body: null } };
  const sent = deployment && route ? deployment.toTheirs.response(route.operation, body) : body;
  return { reply: textReply(status, JSON.stringify(sent), 'application/json', headers) };
}

const NOT_STORED =
  'The service cannot store the result of the request. Wait as long as Retry-After says, then retry.';

/** For a call whose effects could not be stored. */
export function unavailableReply(): Reply {
  const rejection = reject('unavailable', NOT_STORED, { retryAfterMs: 1000 });
  return problemReply(problemOf(rejection, NO_REQUEST_ID), commonHeaders(NO_REQUEST_ID));
}

export function toResponse(
  reply: Omit<Reply, 'body'> & { readonly body: Reply['body'] | ReadableStream<Uint8Array> },
  make: MakeResponse = nativeResponse,
): Response {
  if (reply.broken) return Response.error();
  const { status, headers, body } = reply;
  const sent = isPieces(body) && !make.takesPieces ? streamOf(body) : body;
  return make(sent as BodyInit | null, { status, headers: headers as Record<string, string> });
}

const nativeResponse: MakeResponse = (body, init) => new Response(body, init);

const commonHeaders = (requestId: string): MutableHeaders => ({
  'x-request-id': requestId,
  'api-version': '2',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
});

function problemReply({ status, body, headers }: Problem, common: MutableHeaders): Reply {
  const text = JSON.stringify(body);
  return textReply(status, text, 'application/problem+json', Object.assign(common, headers));
}

function ownError(
  { service }: Call,
  route: Findings['route'],
  { status, body, headers }: Problem,
  common: MutableHeaders,
): Reply {
  const all = Object.assign(common, headers);
  const sent = service.options.deployment?.toTheirs.problem(route?.operation, body);
  if (sent === undefined) return { status, headers: { ...all, 'content-length': '0' }, body: null };
  return textReply(status, JSON.stringify(sent), 'application/json', all);
}

function textReply(
  status: number,
  text: string,
  contentType: string,
  headers: MutableHeaders,
): Reply {
  headers['content-type'] = contentType;
  headers['content-length'] = String(byteLength(text));
  return { status, headers, body: text };
}

/** Length of a JSON text in UTF-8 bytes. Counting is faster than encoding the text to measure it. */
function byteLength(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // The units of a surrogate pair take two bytes each.
    if (unit > 0x7f) length += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return length;
}

function streamReply({ body }: EventStream, headers: MutableHeaders): Reply {
  headers['content-type'] = 'text/event-stream';
  headers['cache-control'] = 'no-store';
  return { status: 200, headers, body };
}

/** Used when no id can be drawn from the service's random streams. */
const NO_REQUEST_ID = `req_${'0'.repeat(26)}`;

const CALLER_CHOSEN = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own id if it sent a valid one; otherwise a new one. */
export function requestIdOf({ service, request, lifetime }: Call, principal?: Principal): string {
  const own = request.headers.get('x-request-id');
  if (own !== null && CALLER_CHOSEN.test(own)) return own;
  // After a reset, the ids belong to the new state: drawing one here would make that state's ids irreproducible.
  if (lifetime.aborted) return NO_REQUEST_ID;
  return newRequestId(service.context, principal?.rngStream ?? 0);
}
