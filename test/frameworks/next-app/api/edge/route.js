import { createWebhookHandler } from 'contentgen/webhooks';

export const runtime = 'edge';

export const POST = createWebhookHandler({
  secret: () => process.env.CONTENTGEN_WEBHOOK_SECRET,
  on: { generation_completed: ({ payload }) => console.log('completed', payload.requestId) },
});
