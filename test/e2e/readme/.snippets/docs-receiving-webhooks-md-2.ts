import { createWebhookHandler } from 'contentgen/webhooks';

export const POST = createWebhookHandler({
  secret: () => process.env.CONTENTGEN_WEBHOOK_SECRET, // read at each delivery: `next build` needs no secret
  on: { generation_completed: (event) => console.log(event.payload.result) },
});
