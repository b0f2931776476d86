import type { IncomingMessage } from 'node:http';
import { type AdaptedHandler, dispatch } from './fetch-handler.ts';
import { toDelivery } from './to-node-handler.ts';

/** Options of {@link fastifyWebhooks}. */
export interface FastifyWebhooksOptions {
  /** The route, for instance `/webhooks`. */
  readonly path: string;
  readonly handler: AdaptedHandler;
}

interface FastifyReply {
  code(status: number): FastifyReply;
  headers(values: Record<string, string>): FastifyReply;
  send(body: string): unknown;
}

/** The part of a Fastify instance that is used. */
interface Fastify {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    parser: (request: never, payload: never, done: (error: null) => void) => void,
  ): unknown;
  all(
    path: string,
    handler: (request: { readonly raw: IncomingMessage }, reply: FastifyReply) => Promise<unknown>,
  ): unknown;
}

/**
 * A Fastify plugin: serves `handler` at `path`. Its scope alone leaves bodies unparsed; the rest of the
 * application keeps its parsers.
 *
 * @example
 * await app.register(fastifyWebhooks, { path: '/webhooks', handler });
 */
export async function fastifyWebhooks(
  fastify: Fastify,
  { path, handler }: FastifyWebhooksOptions,
): Promise<void> {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, _payload, done) => done(null));
  fastify.all(path, async ({ raw }, reply) => {
    const { status, headers, body } = await dispatch(handler, toDelivery(raw));
    return reply
      .code(status)
      .headers({ ...headers, ...(!raw.complete && { connection: 'close' }) })
      .send(body);
  });
}
