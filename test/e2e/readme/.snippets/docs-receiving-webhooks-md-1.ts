import { createWebhookHandler } from 'contentgen/webhooks';

export const handler = createWebhookHandler({
  secret: process.env.CONTENTGEN_WEBHOOK_SECRET!, // whsec_…; pass an array while you rotate
  on: {
    generation_completed: async (event) => console.log(event.payload.requestId, event.payload.result),
    generation_failed: async (event) => console.log(event.payload.requestId, event.payload.error.code),
    usage_threshold: async (event) => console.log(event.payload.usage, event.payload.threshold),
    invoice_paid: async (event) => console.log(event.payload.invoice.number),
    invoice_payment_failed: async (event) => console.log(event.payload.invoice.failureReason),
    data_updated: async (event) => console.log(event.payload.source, event.payload.records),
  },
  onOther: async (event) => console.log('an event without a callback above', event.id),
});
