import {
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';

/** The sender gives up after 15 s, so a later response would not count. */
const FORWARD_MS = 14_500;
const MAX_BYTES = 1 << 20;
/** These belong to one connection, or are set for the next one. */
const DROPPED = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
]);

/** One forwarded delivery. */
export interface Forwarded {
  readonly event: string;
  /** The `webhook-id`. */
  readonly id: string;
  readonly status: number;
  /** Why the receiver could not be reached. */
  readonly error?: string;
  readonly durationMs: number;
}

/** Forwards a delivery to `target` and responds as the receiver did; `undefined` if it was not forwarded. */
export async function relay(
  target: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Forwarded | undefined> {
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST' }).end();
    return undefined;
  }
  const body = await readBody(request);
  if (!body) {
    response.writeHead(413).end();
    return undefined;
  }
  const started = performance.now();
  const { status, retryAfter, error, body: responseBody } = await forward(target, request, body);
  response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  response.end(responseBody);
  return {
    event: eventNameOf(body),
    id: String(request.headers['webhook-id'] ?? ''),
    status,
    ...(error === undefined ? {} : { error }),
    durationMs: Math.round(performance.now() - started),
  };
}

interface ReceiverResponse {
  readonly status: number;
  readonly body: Buffer;
  readonly retryAfter?: string;
  readonly error?: string;
}

/** Sends the same bytes with the same headers, so that the signature stays valid. */
function forward(target: URL, request: IncomingMessage, body: Buffer): Promise<ReceiverResponse> {
  const headers: OutgoingHttpHeaders = { 'content-length': body.length };
  for (const [name, value] of Object.entries(request.headers)) {
    if (!DROPPED.has(name)) headers[name] = value;
  }
  const open = target.protocol === 'https:' ? httpsRequest : httpRequest;
  const signal = AbortSignal.timeout(FORWARD_MS);
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException) =>
      resolve({ status: 502, body: Buffer.alloc(0), error: error.code ?? error.message });
    const outgoing = open(target, { method: 'POST', headers, signal }, (response) => {
      readBody(response).then((received) => {
        const { statusCode: status = 502, headers: got } = response;
        const retryAfter = got['retry-after'];
        resolve({ status, body: received ?? Buffer.alloc(0), ...(retryAfter && { retryAfter }) });
      }, onError);
    });
    outgoing.once('error', onError);
    outgoing.end(body);
  });
}

/** `undefined` if the body is too large. */
async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Result callbacks carry no event name. */
function eventNameOf(body: Buffer): string {
  try {
    const payload = JSON.parse(body.toString()) as Record<string, unknown>;
    if (typeof payload['event'] === 'string') return payload['event'];
    return payload['error'] === undefined ? 'generation_completed' : 'generation_failed';
  } catch {
    return 'delivery';
  }
}
