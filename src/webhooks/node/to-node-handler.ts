import type { ServerResponse } from 'node:http';
import type { InboundDelivery } from '../handler.ts';
import { type AdaptedHandler, dispatch } from './fetch-handler.ts';
import { type NodeRequest, readNodeBody } from './node-body.ts';

/** Serves `node:http`, Express, Connect, and Koa with its `ctx.req` and `ctx.res`. */
export type NodeHandler = (request: NodeRequest, response: ServerResponse) => Promise<void>;

/** @internal A request of Node as a delivery. */
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
 * A handler for Node's requests. Mount it before any body parser, or behind one that keeps the bytes
 * (`express.raw`, `rawBody`); a body parsed to an object is answered 500 and never acknowledged.
 *
 * @example
 * app.post('/webhooks', toNodeHandler(createWebhookHandler({ secret, on })));
 */
export function toNodeHandler(handler: AdaptedHandler): NodeHandler {
  return async (request, response) => {
    const { status, headers, body } = await dispatch(handler, toDelivery(request));
    if (response.headersSent || response.destroyed) return;
    // What was not read of the body must not be taken for the next request.
    const unread = !request.readableEnded && request.httpVersionMajor < 2 && !request.complete;
    response.writeHead(status, {
      ...headers,
      'content-length': Buffer.byteLength(body),
      ...(unread && { connection: 'close' }),
    });
    response.end(body);
  };
}
