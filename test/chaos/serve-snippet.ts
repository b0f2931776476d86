import { createServer } from 'node:http';
import { toNodeHandler } from '../../src/webhooks/node/index.ts';

// Serves the `POST` or `handler` that a snippet of the guide exports: node serve-snippet.ts <file>. The snippet decides
// whether the process survives, so nothing is caught here.
const { POST, handler } = await import(process.argv[2] ?? '');
const server = createServer(toNodeHandler(POST ?? handler)).listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`port ${typeof address === 'object' ? address?.port : ''}`);
});
