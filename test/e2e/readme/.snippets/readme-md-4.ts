import { createServer } from 'node:http';
import { ContentGen } from 'contentgen';
import { createWebhookHandler } from 'contentgen/webhooks';
import { toNodeHandler } from 'contentgen/webhooks/node';

const handler = createWebhookHandler({
  secret: () => process.env.CONTENTGEN_WEBHOOK_SECRET,
  on: {
    generation_completed: ({ payload }) => console.log('verified:', payload.result),
    generation_failed: ({ payload }) => console.log('failed:', payload.error.message),
  },
});
const server = createServer(toNodeHandler(handler)).listen(3000);

const webhookUrl = 'http://localhost:3000/webhooks';
const job = await new ContentGen().content.start({ prompt: 'A long story about QUIC', webhookUrl });
await job.wait({ results: handler }); // settles when the webhook arrives; polls if none does
server.close();
