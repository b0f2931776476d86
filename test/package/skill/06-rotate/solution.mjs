import { createWebhookHandler, PermanentError } from 'contentgen/webhooks';

export const usage = [];

export const POST = createWebhookHandler({
  secret: [process.env.NEW_SECRET, process.env.OLD_SECRET],
  on: {
    usage_threshold: ({ payload }) => {
      if (payload.usage === 0) throw new PermanentError('A usage of 0 reaches no threshold.');
      usage.push(payload.usage);
    },
  },
});
