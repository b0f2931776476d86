import pg from 'pg';
import { createClient } from 'redis';
import { type Dedupe, memoryDedupe } from '../../src/webhooks/index.ts';
import { postgresDedupe } from '../../src/webhooks/postgres.ts';
import { redisDedupe } from '../../src/webhooks/redis.ts';
import { needs } from '../../test/support/needs.ts';
import { withPostgres, withRedis } from '../../test/support/servers.ts';

const atOnce = 32;
const rounds = 5;

/** One row of the table: what a store does, beside the least that its server can do. */
export type StoreRates = Record<string, Record<string, string>>;

/**
 * Deliveries per second that a store claims and completes, 32 at once, beside one bare statement per delivery that
 * claims only. Both take turns, so that the ratio holds on a busy machine; it is the median of five.
 */
export async function storeRates(deliveries: number): Promise<StoreRates> {
  const memory = await rateOf(handle(memoryDedupe()), deliveries * 10);
  return {
    memoryDedupe: { 'deliveries/s': shown(memory) },
    'redisDedupe, node-redis': needs('redis')
      ? await overRedis(deliveries)
      : { 'deliveries/s': 'skipped: redis-server is not installed' },
    'postgresDedupe, pg': needs('postgres')
      ? await overPostgres(deliveries)
      : { 'deliveries/s': 'skipped: PostgreSQL is not installed' },
  };
}

type Step = (key: string) => Promise<unknown>;

const handle =
  (store: Dedupe): Step =>
  async (key) => {
    await store.claim(key, 'attempt');
    await store.complete(key, 'attempt');
  };

let keys = 0;

async function rateOf(step: Step, deliveries: number): Promise<number> {
  let left = deliveries;
  const work = async () => {
    while (left-- > 0) await step(`msg_${keys++}`);
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: atOnce }, work));
  return deliveries / ((performance.now() - start) / 1000);
}

async function compare(store: Dedupe, name: string, bare: Step, deliveries: number) {
  const ours: number[] = [];
  const theirs: number[] = [];
  await rateOf(handle(store), deliveries / 4);
  await rateOf(bare, deliveries / 4);
  for (let round = 0; round < rounds; round++) {
    theirs.push(await rateOf(bare, deliveries));
    ours.push(await rateOf(handle(store), deliveries));
  }
  const ratios = ours.map((rate, round) => (theirs[round] as number) / rate);
  return {
    'deliveries/s': shown(median(ours)),
    'bare statement': name,
    'bare/s': shown(median(theirs)),
    'time vs bare': `${median(ratios).toFixed(2)} ×`,
  };
}

async function overRedis(deliveries: number) {
  const server = await withRedis();
  const client = await createClient({ url: server.url }).connect();
  const bare: Step = (key) => client.set(`bare:${key}`, 'attempt', { NX: true, PX: 60_000 });
  try {
    return await compare(redisDedupe(client), 'SET NX', bare, deliveries * 2);
  } finally {
    client.destroy();
    await server.stop();
  }
}

async function overPostgres(deliveries: number) {
  const server = await withPostgres();
  const pool = new pg.Pool({ connectionString: server.url, max: atOnce });
  try {
    await pool.query(
      'CREATE TABLE bare (key text PRIMARY KEY, attempt_id text, done boolean, expires_at timestamptz)',
    );
    const insert = `INSERT INTO bare VALUES ($1, 'attempt', false, now() + interval '60 s') ON CONFLICT DO NOTHING`;
    const store = postgresDedupe((text, params) => pool.query(text, params));
    const name = 'INSERT … ON CONFLICT';
    return await compare(store, name, (key) => pool.query(insert, [key]), deliveries);
  } finally {
    await pool.end();
    await server.stop();
  }
}

const shown = (rate: number) => Math.round(rate).toLocaleString('en');

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] as number;
}
