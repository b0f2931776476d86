import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AdaptedDelivery, type AdaptedHandler, assertHandler, dispatch } from './dispatch.ts';
import { endConnection, type KeptBody, type NodeRequest, readNodeBody } from './node-body.ts';

/** The part of a Fastify request that is used. */
export interface FastifyRequest extends KeptBody {
  /** Node's own request. */
  readonly raw: IncomingMessage;
}

/** The part of a Fastify reply that is used. */
export interface FastifyReply {
  /** Node's own response. */
  readonly raw: ServerResponse;
  /** Sets the HTTP status. */
  code(status: number): FastifyReply;
  /** Sets headers. */
  headers(values: Record<string, string>): FastifyReply;
  /** Sends the body. */
  send(body: string): unknown;
}

/**
 * A request listener for `node:http`, Express, Connect, Koa through `ctx.req` and `ctx.res`, and NestJS on Express or
 * Fastify through `@Req()` and `@Res()`.
 */
export type NodeHandler = (
  request: NodeRequest | FastifyRequest,
  response: ServerResponse | FastifyReply,
) => Promise<void>;

/** Anything else in `Host` would shift the path, or make every `new URL(url)` throw. */
const hostFormat = /^[^\s/?#@\\]+$/;

function toDelivery(request: NodeRequest, kept: KeptBody = request): AdaptedDelivery {
  return {
    method: request.method ?? 'GET',
    url: toUrl(request, kept.originalUrl ?? request.url ?? '/'),
    headers: request.headers,
    readBody: (maxBytes) => readNodeBody(request, kept, maxBytes),
  };
}

/** The URL that was requested, or one that cannot be parsed if `Host` is invalid. */
function toUrl({ headers, socket }: IncomingMessage, target: string): string {
  // RFC 9112, section 3.2.2: a request to a proxy names the whole URL.
  if (/^https?:\/\//i.test(target)) return target;
  const scheme = 'encrypted' in (socket ?? {}) ? 'https' : 'http';
  const host = headers.host ?? headers[':authority'] ?? 'localhost';
  return `${scheme}://${hostFormat.test(`${host}`) ? host : '<invalid>'}${target}`;
}

/**
 * Adapts a webhook handler to Node's requests. Mount it before any body parser, or behind one that keeps the bytes as
 * `request.rawBody` (or `request.body`). If only a parsed body is left, the response is 500 and the sender retries.
 *
 * @example
 * app.post('/webhooks', toNodeHandler(createWebhookHandler({ secret, on })));
 */
export function toNodeHandler(handler: AdaptedHandler): NodeHandler {
  assertHandler(handler, 'toNodeHandler');
  return async (request, response) => {
    if ('raw' in request && 'raw' in response) return respond(handler, request, response);
    const message = request as NodeRequest;
    const out = response as ServerResponse;
    const { status, headers, body } = await dispatch(handler, toDelivery(message));
    if (out.headersSent || out.destroyed) return;
    out.writeHead(status, {
      ...headers,
      'content-length': Buffer.byteLength(body),
      ...endConnection(message),
    });
    out.end(body);
  };
}

/** @internal Handles a Fastify request and responds through its reply. */
export async function respond(
  handler: AdaptedHandler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { raw } = request;
  const { status, headers, body } = await dispatch(handler, toDelivery(raw, request));
  reply
    .code(status)
    .headers({ ...headers, ...endConnection(raw) })
    .send(body);
}
