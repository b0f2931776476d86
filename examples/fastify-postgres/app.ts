import { createWebhookHandler } from 'contentgen/webhooks';
import { fastifyWebhooks } from 'contentgen/webhooks/node';
import { postgresDedupe } from 'contentgen/webhooks/postgres';
import Fastify, { type FastifyInstance } from 'fastify';
import type pg from 'pg';
import { inTransaction } from './pool.ts';

export async function createApp(pool: pg.Pool, secret: string): Promise<FastifyInstance> {
  await pool.query(
    'CREATE TABLE IF NOT EXISTS stories (request_id text NOT NULL, story text NOT NULL)',
  );
  const handler = createWebhookHandler({
    secret,
    dedupe: postgresDedupe((text, params) => pool.query(text, params)),
    on: {
      generation_completed: ({ id, payload }, { commitWith }) =>
        inTransaction(pool, async (client) => {
          await client.query('INSERT INTO stories VALUES ($1, $2)', [
            payload.requestId ?? id,
            payload.result,
          ]);
          // Last, because from here on the transaction locks the delivery's row.
          await commitWith((text, params) => client.query(text, params));
        }),
    },
  });

  const app = Fastify();
  await app.register(fastifyWebhooks, { path: '/webhooks', handler });
  app.get('/stories', async () => (await pool.query('SELECT * FROM stories')).rows);
  return app;
}
