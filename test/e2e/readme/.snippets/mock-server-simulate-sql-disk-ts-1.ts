import { simulate, sqlDisk } from 'contentgen/simulate';

await simulate({
  seeds: 5,
  app: async ({ client, disk, url }) => {
    const db = await sqlDisk(disk, { schema: 'CREATE TABLE orders (id text PRIMARY KEY)' });
    return async () => {
      const { requestId } = await client.content.start({ prompt: 'story', webhookUrl: url });
      await db.query('INSERT INTO orders VALUES ($1)', [requestId]);
    };
  },
  receive: () => () => new Response(),
  run: ({ app }) => app(),
});
