import { createWebhookHandler } from 'contentgen/webhooks';
import { postgresDedupe } from 'contentgen/webhooks/postgres';
import postgres from 'postgres';

// Reconnects every second. PgBouncer in transaction mode needs `prepare: false`.
const sql = postgres({ connect_timeout: 3, backoff: () => 1, prepare: false, onnotice: () => {} });

export const POST = createWebhookHandler({
  secret: process.env.CONTENTGEN_WEBHOOK_SECRET!,
  dedupe: postgresDedupe(async (text, params) => ({ rows: await sql.unsafe(text, params) })),
  on: { generation_completed: async (event) => console.log(event.payload.requestId) },
});
