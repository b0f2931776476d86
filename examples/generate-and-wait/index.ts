import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ContentGen, GenerationFailedError } from 'contentgen';
import { createWebhookHandler } from 'contentgen/webhooks';
import { toNodeHandler } from 'contentgen/webhooks/node';

const client = new ContentGen();
const { secret } = await client.webhooks.getSigningSecret();
const receiver = createWebhookHandler({ secret });
const server = createServer(toNodeHandler(receiver)).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

const job = await client.content.generate({
  prompt: process.argv[2] ?? 'A story about QUIC',
  webhookUrl: `http://127.0.0.1:${port}/`,
});
console.log(job.status, job.requestId);

const interrupted = new AbortController();
process.once('SIGINT', () => {
  interrupted.abort();
  void job.cancel().safe();
});

try {
  const story = await job.wait({
    results: receiver,
    deadline: 10 * 60_000,
    signal: interrupted.signal,
  });
  console.log(story.result);
} catch (error) {
  if (!(error instanceof GenerationFailedError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  server.close();
}
