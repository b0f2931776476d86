import type { IncomingMessage } from 'node:http';
import { type AdaptedHandler, dispatch } from './dispatch.ts';
import { toDelivery } from './to-node-handler.ts';

/** Options of {@link fastifyWebhooks}. */
export interface FastifyWebhooksOptions {
  /** The route, for instance `/webhooks`. */
  readonly path: string;
  /** What `createWebhookHandler` returns, or any fetch handler. */
  readonly handler: AdaptedHandler;
}

interface FastifyReply {
  code(status: number): FastifyReply;
  headers(values: Record<string, string>): FastifyReply;
  send(body: string): unknown;
}
type Parser = (request: unknown, payload: unknown, done: (error: null) => void) => void;
type Route = (request: { readonly raw: IncomingMessage }, reply: FastifyReply) => Promise<unknown>;

/** The part of a Fastify instance that is used. Its generic signatures do not fit into narrower types. */
interface Fastify {
  removeAllContentTypeParsers(): unknown;
  readonly addContentTypeParser: (...given: never[]) => unknown;
  readonly all: (...given: never[]) => unknown;
}

/**
 * A Fastify plugin that serves `handler` at `path`. Only routes inside the plugin get raw bodies; the rest of the
 * application keeps its parsers.
 *
 * @example
 * await app.register(fastifyWebhooks, { path: '/webhooks', handler });
 */
export async function fastifyWebhooks(
  fastify: Fastify,
  { path, handler }: FastifyWebhooksOptions,
): Promise<void> {
  const addParser = fastify.addContentTypeParser as (type: string, parser: Parser) => unknown;
  const addRoute = fastify.all as (path: string, route: Route) => unknown;
  fastify.removeAllContentTypeParsers();
  addParser.call(fastify, '*', (_request, _payload, done) => done(null));
  addRoute.call(fastify, path, async ({ raw }, reply) => {
    const { status, headers, body } = await dispatch(handler, toDelivery(raw));
    return reply
      .code(status)
      .headers({ ...headers, ...(!raw.complete && { connection: 'close' }) })
      .send(body);
  });
}
