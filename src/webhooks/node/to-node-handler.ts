import type { ServerResponse } from 'node:http';
import type { InboundDelivery } from '../handler.ts';
import { type AdaptedHandler, dispatch } from './dispatch.ts';
import { type NodeRequest, readNodeBody } from './node-body.ts';

/** A request listener for `node:http`, Express, Connect, and Koa through `ctx.req` and `ctx.res`. */
export type NodeHandler = (request: NodeRequest, response: ServerResponse) => Promise<void>;

/** @internal A Node request as a delivery. */
export function toDelivery(request: NodeRequest): InboundDelivery {
  const scheme = 'encrypted' in (request.socket ?? {}) ? 'https' : 'http';
  const host = request.headers.host ?? request.headers[':authority'] ?? 'localhost';
  return {
    method: request.method ?? 'GET',
    url: `${scheme}://${host}${request.originalUrl ?? request.url ?? '/'}`,
    headers: request.headers,
    readBody: (maxBytes) => readNodeBody(request, maxBytes),
  };
}

/**
 * Adapts a webhook handler to Node's requests. Mount it before any body parser, or behind one that keeps the bytes
 * (`express.raw`, `rawBody`). If the body has been parsed to an object, it responds 500 and the sender retries.
 *
 * @example
 * app.post('/webhooks', toNodeHandler(createWebhookHandler({ secret, on })));
 */
export function toNodeHandler(handler: AdaptedHandler): NodeHandler {
  return async (request, response) => {
    const { status, headers, body } = await dispatch(handler, toDelivery(request));
    if (response.headersSent || response.destroyed) return;
    // The unread rest of the body must not be taken for the next request.
    const unread = !request.readableEnded && request.httpVersionMajor < 2 && !request.complete;
    response.writeHead(status, {
      ...headers,
      'content-length': Buffer.byteLength(body),
      ...(unread && { connection: 'close' }),
    });
    response.end(body);
  };
}
