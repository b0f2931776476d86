import { createWebhookHandler } from 'contentgen/webhooks';
import { fastifyWebhooks } from 'contentgen/webhooks/node';
import { postgresDedupe } from 'contentgen/webhooks/postgres';
import Fastify, { type FastifyInstance } from 'fastify';
import type pg from 'pg';

export async function createApp(pool: pg.Pool, secret: string): Promise<FastifyInstance> {
  await pool.query(
    'CREATE TABLE IF NOT EXISTS stories (request_id text NOT NULL, story text NOT NULL)',
  );
  const handler = createWebhookHandler({
    secret,
    dedupe: postgresDedupe((text, params) => pool.query(text, params)),
    on: {
      generation_completed: async ({ id, payload }, { commitWith }) => {
        const connection = await pool.connect();
        try {
          await connection.query('BEGIN');
          await connection.query('INSERT INTO stories VALUES ($1, $2)', [
            payload.requestId ?? id,
            payload.result,
          ]);
          await commitWith((text, params) => connection.query(text, params));
          await connection.query('COMMIT');
        } catch (error) {
          await connection.query('ROLLBACK');
          throw error;
        } finally {
          connection.release();
        }
      },
    },
  });

  const app = Fastify();
  await app.register(fastifyWebhooks, { path: '/webhooks', handler });
  app.get('/stories', async () => (await pool.query('SELECT * FROM stories')).rows);
  return app;
}
