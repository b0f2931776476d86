import { createWebhookHandler } from 'contentgen/webhooks';
import { toLambdaHandler } from 'contentgen/webhooks/node';

export const handler = toLambdaHandler(
  createWebhookHandler({
    secret: process.env['CONTENTGEN_WEBHOOK_SECRET'] ?? '',
    on: {
      generation_completed: ({ payload }) => console.log('completed:', payload.requestId),
      usage_threshold: ({ payload }) => console.warn('used:', payload.usage, payload.threshold),
    },
  }),
);
