import { createWebhookHandler } from 'contentgen/webhooks';
import { postgresDedupe } from 'contentgen/webhooks/postgres';
import pg from 'pg';

const pool = new pg.Pool({
  // A connection that no longer responds is closed and replaced, instead of blocking the pool.
  connectionTimeoutMillis: 3000,
  query_timeout: 3500,
  keepAlive: true,
});
// Both are required: without a listener, losing a connection ends the process, whether it was idle or in use.
pool.on('error', (error) => console.error('PostgreSQL:', error.message));
pool.on('connect', (client) => client.on('error', () => {}));

export const POST = createWebhookHandler({
  secret: process.env.CONTENTGEN_WEBHOOK_SECRET!,
  dedupe: postgresDedupe((text, params) => pool.query(text, params)),
  on: { generation_completed: async (event) => console.log(event.payload.requestId) },
});
