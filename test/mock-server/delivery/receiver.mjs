// A receiver in its own process: verifies each message and appends its id to a file. The test ends it with SIGKILL.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createWebhookHandler } from '../../../src/webhooks/index.ts';
import { toNodeHandler } from '../../../src/webhooks/node/index.ts';

const [, , port, secret, file] = process.argv;

const handler = createWebhookHandler({
  secret,
  on: {
    generation_completed: ({ id, payload }) =>
      appendFileSync(file, `${JSON.stringify([id, payload.requestId])}\n`),
  },
});

createServer(toNodeHandler(handler)).listen(Number(port), '127.0.0.1', () => process.send('ready'));
