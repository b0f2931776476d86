import { createWebhookHandler } from 'contentgen/webhooks';

export const POST = createWebhookHandler({
  secret: () => process.env['CONTENTGEN_WEBHOOK_SECRET'], // read at each delivery, so `next build` does not need it
  on: {
    generation_completed: async ({ payload }) => {
      console.log('completed:', payload.requestId, payload.result.length);
    },
    generation_failed: async ({ payload }) => {
      console.error('failed:', payload.requestId, payload.error.code);
    },
  },
});
