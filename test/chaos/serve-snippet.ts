import { createServer } from 'node:http';
import { toNodeHandler } from '../../src/webhooks/node/index.ts';

// Serves the `POST` or `handler` that a snippet of the guide exports, and calls its `consume` at /consume, as a queue does:
// node serve-snippet.ts <file>. The snippet decides whether the process survives, so nothing is caught here.
type Handler = Parameters<typeof toNodeHandler>[0];
type Snippet = Record<'POST' | 'handler', Handler> & { consume(batch: unknown): Promise<unknown> };
const { POST, handler, consume } = (await import(process.argv[2] ?? '')) as Snippet;
const receive = toNodeHandler(POST ?? handler);
const server = createServer(async (request, response) => {
  if (request.url !== '/consume') return receive(request, response);
  const batch = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString());
  response.end(JSON.stringify(await consume(batch)));
}).listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`port ${typeof address === 'object' ? address?.port : ''}`);
});
