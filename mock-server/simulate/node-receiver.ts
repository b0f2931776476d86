import type { IncomingMessage, RequestListener } from 'node:http';
import type { Receive } from './options.ts';
import { awaitTurns } from './quiesce.ts';

/**
 * Makes a receiver of a Node application: an Express app, or any `(request, response)` function. Each request passes
 * through Node's own HTTP parser and server, in memory instead of over a socket.
 *
 * @param listener - The application; Fastify's is `fastify.routing`, after `fastify.ready()`.
 * @throws TypeError if it is no function, or not on Node 20.17 or later
 * @example
 * const app = (context) => ({ handle: nodeReceiver(createExpressApp(context)) });
 * await simulate({ app, receive: (shop) => shop.handle, run });
 */
export function nodeReceiver(listener: (request: never, response: never) => unknown): Receive {
  if (typeof listener !== 'function')
    throw new TypeError('nodeReceiver takes (request, response) => …, such as an Express app.');
  const http = globalThis.process?.getBuiltinModule?.('node:http');
  const duplexPair = globalThis.process?.getBuiltinModule?.('node:stream')?.duplexPair;
  if (!http || !duplexPair) throw new TypeError('nodeReceiver needs Node 20.17 or later.');
  awaitTurns();

  return async (request) => {
    const { pathname, search, host } = new URL(request.url);
    const body = new Uint8Array(await request.arrayBuffer());
    return new Promise((resolve, reject) => {
      const serve: RequestListener = (incoming, outgoing) => {
        // Node formats the date on a real timer.
        outgoing.sendDate = false;
        try {
          listener(incoming as never, outgoing as never);
        } catch (error) {
          reject(error as Error);
        }
      };
      const [near, far] = duplexPair();
      http.createServer(serve).emit('connection', far);
      const headers = { ...Object.fromEntries(request.headers), host };
      const call = http.request(
        { method: request.method, path: pathname + search, headers, createConnection: () => near },
        (response) => {
          const chunks: Uint8Array[] = [];
          response.on('data', (chunk: Uint8Array) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => resolve(responseOf(response, chunks)));
        },
      );
      call.on('error', reject);
      call.end(body);
    });
  };
}

function responseOf({ statusCode, headers }: IncomingMessage, chunks: Uint8Array[]): Response {
  const hasBody = statusCode !== 204 && statusCode !== 205 && statusCode !== 304;
  const body = new Blob(chunks as Uint8Array<ArrayBuffer>[]);
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return new Response(hasBody ? body : null, { status: statusCode ?? 500, headers: pairs });
}
