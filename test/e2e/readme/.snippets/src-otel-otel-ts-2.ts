import { otel } from 'contentgen/otel';
import { createWebhookHandler } from 'contentgen/webhooks';

createWebhookHandler({
  secret: process.env.CONTENTGEN_WEBHOOK_SECRET!,
  on: { generation_completed: (event) => console.log(event.payload.result) },
  ...otel.receiver(),
});
