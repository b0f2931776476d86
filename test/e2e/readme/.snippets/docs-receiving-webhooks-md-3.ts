import { createWebhookHandler } from 'contentgen/webhooks';
import { toNodeHandler } from 'contentgen/webhooks/node';

export const config = { api: { bodyParser: false } };

export default toNodeHandler(
  createWebhookHandler({
    secret: () => process.env.CONTENTGEN_WEBHOOK_SECRET,
    on: { generation_completed: (event) => console.log(event.payload.result) },
  }),
);
