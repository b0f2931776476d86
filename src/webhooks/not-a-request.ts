import { kindOf } from '../signing/errors.ts';

/** A response of `node:http`, and so of Express, Koa and NestJS. */
interface NodeResponse {
  writeHead(status: number): { end(): unknown };
}

/** What frameworks pass to a route in place of a `Request`. */
type Given = Partial<Record<'raw' | 'req' | 'res', unknown>>;

/** Whether a route was called with a fetch `Request`, of any realm or polyfill. */
export const isRequest = (given: unknown): given is Request => {
  const { headers, url, method } = Object(given) as Partial<Request>;
  // The headers of Node's requests are a plain object.
  const isFetch = typeof headers?.get === 'function' && typeof url === 'string';
  return isFetch && typeof method === 'string';
};

/** Whether it is what Hono passes to a route, or the request in it: the fetch `Request` is its `raw`. */
const isOfHono = (given: unknown): boolean => {
  const { raw, req } = Object(given) as Given;
  return isRequest(raw) || isRequest(Object(req).raw);
};

/** What is wrong with the argument of `verifyWebhook` if a framework's request is in place of a `Request`. */
export function requestMistake(options: unknown): readonly [string, string] | undefined {
  const { request } = Object(options) as { request?: unknown };
  if (isRequest(options)) return ['the request is not an option', 'Pass { request, secret }.'];
  if (isOfHono(options) || isOfHono(request))
    return ["this is Hono's context, not a Request", 'Pass { request: c.req.raw, secret }.'];
  if (request === undefined || isRequest(request)) return undefined;
  const advice = 'Elsewhere than with fetch, pass its raw body and its headers.';
  return [`request is ${kindOf(request)}, not a Request`, advice];
}

/**
 * Which adapter to use, when a framework called the handler with what is not a `Request`. Where the framework waits for
 * its own response, that is ended with 500: otherwise the sender would wait for its timeout.
 */
export function adviseAdapter(given: unknown, second: unknown): string {
  const { raw, res } = Object(given) as Given;
  const reply = Object(second) as { raw?: unknown };
  for (const response of [second, reply.raw, res])
    if (typeof Object(response).writeHead === 'function') end(response as NodeResponse);
  const got = `Failed to handle a webhook: the handler got ${kindOf(given)}, not a Request.`;
  if (isOfHono(given)) return `${got} In Hono, pass handler(c.req.raw).`;
  if (raw !== undefined && reply.raw !== undefined)
    return `${got} In Fastify, register fastifyWebhooks from contentgen/webhooks/node.`;
  return `${got} In Express, Koa, NestJS and node:http, use toNodeHandler(handler) from contentgen/webhooks/node; elsewhere, pass the fetch Request.`;
}

function end(response: NodeResponse): void {
  try {
    response.writeHead(500).end();
  } catch {
    // It has been sent already.
  }
}
