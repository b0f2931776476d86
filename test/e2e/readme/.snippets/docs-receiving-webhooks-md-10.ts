import { createWebhookHandler, type WebhookHandler } from 'contentgen/webhooks';

let handler: WebhookHandler | undefined;

export default {
  fetch(request: Request, env: { CONTENTGEN_WEBHOOK_SECRET: string }): Promise<Response> {
    handler ??= createWebhookHandler({ secret: env.CONTENTGEN_WEBHOOK_SECRET });
    return handler(request);
  },
};
