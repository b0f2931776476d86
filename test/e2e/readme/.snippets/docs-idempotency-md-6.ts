import { createWebhookHandler } from 'contentgen/webhooks';
import { postgresDedupe } from 'contentgen/webhooks/postgres';
import pg from 'pg';

const pool = new pg.Pool({ connectionTimeoutMillis: 3000, query_timeout: 3500, keepAlive: true });
pool.on('error', (error) => console.error('PostgreSQL:', error.message));
pool.on('connect', (client) => client.on('error', () => {}));

async function inTransaction(work: (client: pg.PoolClient) => Promise<void>) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await work(client);
    await client.query('COMMIT');
  } catch (error) {
    // Closes the connection, which rolls back. A ROLLBACK would fail on a lost connection and hide the cause.
    client.release(true);
    throw error;
  }
  client.release();
}

export const POST = createWebhookHandler({
  secret: process.env.CONTENTGEN_WEBHOOK_SECRET!,
  dedupe: postgresDedupe((text, params) => pool.query(text, params)),
  on: {
    generation_completed: ({ payload }, { commitWith }) =>
      inTransaction(async (client) => {
        await client.query('INSERT INTO stories (request_id, text) VALUES ($1, $2)', [
          payload.requestId,
          payload.result,
        ]);
        await commitWith((text, params) => client.query(text, params));
      }),
  },
});
