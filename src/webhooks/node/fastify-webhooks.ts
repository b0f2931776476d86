import { kindOf, misconfigured } from '../../signing/errors.ts';
import { type AdaptedHandler, assertHandler } from './dispatch.ts';
import { type FastifyReply, type FastifyRequest, respond } from './to-node-handler.ts';

/** Options of {@link fastifyWebhooks}. */
export interface FastifyWebhooksOptions {
  /** The route, for instance `/webhooks`. */
  readonly path: string;
  /** What `createWebhookHandler` returns, or any fetch handler. */
  readonly handler: AdaptedHandler;
}

type Done = (error: null) => void;
type Parser = (request: FastifyRequest, payload: unknown, done: Done) => void;
type Route = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** The part of a Fastify instance that is used. Its generic signatures do not fit narrower types. */
interface Fastify {
  removeAllContentTypeParsers(): unknown;
  readonly addContentTypeParser: (...given: never[]) => unknown;
  readonly all: (...given: never[]) => unknown;
}

/**
 * A Fastify plugin that serves `handler` at `path`. Only routes inside the plugin get raw bodies; the rest of the
 * application keeps its parsers. It works together with `fastify-raw-body` too.
 *
 * @example
 * await app.register(fastifyWebhooks, { path: '/webhooks', handler });
 */
export async function fastifyWebhooks(
  fastify: Fastify,
  { path, handler }: FastifyWebhooksOptions,
): Promise<void> {
  assertHandler(handler, 'fastifyWebhooks');
  if (typeof path !== 'string')
    misconfigured(
      `path of fastifyWebhooks is ${kindOf(path)}`,
      "Pass the route, such as '/webhooks'.",
    );
  const addParser = fastify.addContentTypeParser as (type: string, parser: Parser) => unknown;
  const addRoute = fastify.all as (path: string, route: Route) => unknown;
  fastify.removeAllContentTypeParsers();
  addParser.call(fastify, '*', leaveUnread);
  addRoute.call(fastify, path, async (request, reply) => {
    await respond(handler, request, reply);
    return reply;
  });
}

/** Leaves the body to the handler, unless a hook is already reading it into `rawBody`: then waits for its end. */
function leaveUnread({ raw }: FastifyRequest, _payload: unknown, done: Done): void {
  if (!raw.readableFlowing) {
    done(null);
    return;
  }
  const finish = () => {
    raw.off('end', finish).off('close', finish);
    done(null);
  };
  raw.on('end', finish).on('close', finish);
}
