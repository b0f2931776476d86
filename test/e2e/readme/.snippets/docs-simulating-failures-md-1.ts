import { simulate } from 'contentgen/simulate';
import { createWebhookHandler } from 'contentgen/webhooks';

const result = await simulate({
  seeds: 50,
  app: ({ client, secret, disk, url, clock }) => {
    const db = disk.open('db');
    return {
      order: (prompt: string) => client.content.start({ prompt, webhookUrl: url }),
      webhooks: createWebhookHandler({
        secret,
        now: clock.now,
        on: {
          generation_completed: ({ id, payload }) =>
            db.transaction(async (tx) => {
              if (await tx.get(`done/${id}`)) return;
              await tx.set(`done/${id}`, true);
              await tx.set(`story/${payload.requestId}`, payload.result);
            }),
        },
      }),
    };
  },
  receive: (app) => app.webhooks,
  run: async ({ app, random }) => {
    const prompts = ['a whale', 'a storm', 'a harbour'];
    await Promise.allSettled(prompts.map((prompt) => app.order(`${prompt} ${random.integer(1, 9)}`)));
  },
  effects: async ({ disk }) =>
    (await disk.open('db').keys('story/')).map((key) => key.slice('story/'.length)),
});
console.log(result.runs); // 50
