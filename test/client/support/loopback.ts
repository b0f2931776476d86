import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  bodyOf,
  headersOf,
  type Reaction,
  reactor,
  type SeenRequest,
  type Service,
} from './reactor.ts';

/** The service on a socket, for the platform's fetch. */
export function loopback(): Service {
  const { script, react } = reactor();
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      seen.push({
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString(),
      });
      response.on('close', () => {
        if (!response.writableFinished) service.ended += 1;
      });
      respond(response, react(seen.at(-1) as SeenRequest));
    });
  });
  const service: Service = {
    baseUrl: '',
    fetch: undefined,
    seen,
    ended: 0,
    script,
    start: async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      service.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    close: async () => {
      server.closeAllConnections();
      // Not awaited: Deno never calls back.
      server.close();
    },
  };
  return service;
}

function respond(response: ServerResponse, reaction: Reaction): void {
  if (reaction.fault === 'disconnect') return void response.destroy();
  if (reaction.fault === 'hang') return;
  response.writeHead(reaction.status ?? 200, headersOf(reaction));
  if (!reaction.chunks) return void response.end(bodyOf(reaction));
  response.flushHeaders();
  const chunks = [...reaction.chunks];
  const next = () => {
    const chunk = chunks.shift();
    if (chunk !== undefined) response.write(chunk, () => setImmediate(next));
    else if (reaction.ending === 'drop') response.destroy();
    else if (reaction.ending !== 'stall') response.end();
  };
  next();
}
