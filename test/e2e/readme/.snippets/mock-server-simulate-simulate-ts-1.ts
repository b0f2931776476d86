import { simulate } from 'contentgen/simulate';
import { createWebhookHandler } from 'contentgen/webhooks';

await simulate({
  seeds: 20,
  app: ({ client, secret, disk, url }) => {
    const results = disk.open('results');
    return {
      order: (prompt: string) => client.content.start({ prompt, webhookUrl: url }),
      webhooks: createWebhookHandler({
        secret,
        on: { generation_completed: ({ payload }) => results.set(`${payload.requestId}`, 'done') },
      }),
    };
  },
  receive: (app) => app.webhooks,
  run: ({ app }) => app.order('story'),
  effects: ({ disk }) => disk.open('results').keys(),
});
