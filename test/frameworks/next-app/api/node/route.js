import { createWebhookHandler } from 'contentgen/webhooks';

export const runtime = 'nodejs';

export const POST = createWebhookHandler({
  secret: () => process.env.CONTENTGEN_WEBHOOK_SECRET,
  on: { generation_completed: ({ payload }) => console.log('completed', payload.requestId) },
});
