import { createWebhookHandler } from 'contentgen/webhooks';
import { toLambdaHandler } from 'contentgen/webhooks/node';

export const main = toLambdaHandler(
  createWebhookHandler({ secret: process.env.CONTENTGEN_WEBHOOK_SECRET! }),
);
