import { simulate, sqlDisk } from 'contentgen/simulate';
import { createWebhookHandler } from 'contentgen/webhooks';
import { postgresDedupe } from 'contentgen/webhooks/postgres';

const schema = 'CREATE TABLE stories (id serial PRIMARY KEY, request_id text, result text)';

const { runs } = await simulate({
  seeds: 10,
  app: async ({ client, secret, disk, url }) => {
    const db = await sqlDisk(disk, { schema });
    return {
      order: (prompt: string) => client.content.start({ prompt, webhookUrl: url }),
      webhooks: createWebhookHandler({
        secret,
        dedupe: postgresDedupe(db.query),
        on: {
          generation_completed: ({ payload }, { commitWith }) =>
            db.transaction(async (tx) => {
              const story = [payload.requestId, payload.result];
              await tx.query('INSERT INTO stories (request_id, result) VALUES ($1, $2)', story);
              await commitWith(tx.query);
            }),
        },
      }),
    };
  },
  receive: (app) => app.webhooks,
  run: ({ app }) => Promise.allSettled(['a whale', 'a storm'].map(app.order)),
  effects: async ({ disk }) => {
    const db = await sqlDisk(disk, { schema });
    const { rows } = await db.query<{ request_id: string }>('SELECT request_id FROM stories');
    return rows.map((row) => row.request_id);
  },
});
console.log(runs); // 10
