import { createWebhookHandler } from 'contentgen/webhooks';
import { postgresDedupe } from 'contentgen/webhooks/postgres';

// A Worker whose statements go to PostgreSQL over HTTP, as those of Neon's driver do. workerd ties each of them to the
// delivery that sent it.
let receiver;

export default {
  fetch(request, env) {
    receiver ??= createWebhookHandler({
      secret: env.CONTENTGEN_WEBHOOK_SECRET,
      dedupe: postgresDedupe(async (text, params) => {
        const response = await fetch(env.SQL_URL, {
          method: 'POST',
          body: JSON.stringify({ text, params }),
        });
        const result = await response.json();
        if (result.error) throw Object.assign(new Error(result.error.message), result.error);
        return result;
      }),
      on: { usage_threshold: () => {} },
    });
    return receiver(request);
  },
};
