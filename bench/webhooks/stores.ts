import pg from 'pg';
import { createClient } from 'redis';
import { type Dedupe, memoryDedupe } from '../../src/webhooks/index.ts';
import { postgresDedupe } from '../../src/webhooks/postgres.ts';
import { redisDedupe } from '../../src/webhooks/redis.ts';
import { needs } from '../../test/support/needs.ts';
import { withPostgres, withRedis } from '../../test/support/servers.ts';

const atOnce = 50;

/** Deliveries per second that a store claims and completes, 50 at once, or why it was skipped. */
export async function storeRates(deliveries: number): Promise<Record<string, string>> {
  const rates: Record<string, string> = {};
  rates['memoryDedupe'] = await rateOf(memoryDedupe(), deliveries * 10);
  rates['redisDedupe, node-redis'] = needs('redis')
    ? await overRedis(deliveries)
    : 'skipped: redis-server is not installed';
  rates['postgresDedupe, pg'] = needs('postgres')
    ? await overPostgres(deliveries)
    : 'skipped: PostgreSQL is not installed';
  return rates;
}

async function rateOf(store: Dedupe, deliveries: number): Promise<string> {
  let next = 0;
  const work = async () => {
    while (next < deliveries) {
      const key = `msg_${next++}`;
      await store.claim(key, 'attempt');
      await store.complete(key, 'attempt');
    }
  };
  await store.claim('warm', 'attempt');
  const start = performance.now();
  await Promise.all(Array.from({ length: atOnce }, work));
  const rate = deliveries / ((performance.now() - start) / 1000);
  return `${Math.round(rate).toLocaleString('en')} deliveries/s`;
}

async function overRedis(deliveries: number): Promise<string> {
  const server = await withRedis();
  const client = await createClient({ url: server.url }).connect();
  try {
    return await rateOf(redisDedupe(client), deliveries);
  } finally {
    client.destroy();
    await server.stop();
  }
}

async function overPostgres(deliveries: number): Promise<string> {
  const server = await withPostgres();
  const pool = new pg.Pool({ connectionString: server.url, max: 10 });
  try {
    const store = postgresDedupe((text, params) => pool.query(text, params));
    return await rateOf(store, deliveries);
  } finally {
    await pool.end();
    await server.stop();
  }
}
