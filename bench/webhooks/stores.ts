import { readFileSync } from 'node:fs';
import pg from 'pg';
import { createClient } from 'redis';
import { type Dedupe, memoryDedupe } from '../../src/webhooks/index.ts';
import { postgresDedupe } from '../../src/webhooks/postgres.ts';
import { redisDedupe } from '../../src/webhooks/redis.ts';
import { needs } from '../../test/support/needs.ts';
import { withPostgres, withRedis } from '../../test/support/servers.ts';
import { median } from '../turns.ts';

const atOnce = 32;
const rounds = 9;

/** The rows of the table: each store compared with the least its server could do. */
export type StoreRates = Record<string, Record<string, string>>;

/**
 * Deliveries per second that a store claims and completes, 32 at once, compared with one bare statement per delivery
 * that only claims. The two take turns, and the ratios are medians. The ratio of CPU times, which include the server's,
 * also holds on a busy machine.
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

/** CPU seconds that the server has used. */
type ServerCpu = () => Promise<number>;

async function compare(
  store: Dedupe,
  name: string,
  bare: Step,
  deliveries: number,
  serverCpu: ServerCpu,
) {
  const ours: Cost[] = [];
  const theirs: Cost[] = [];
  await rateOf(handle(store), deliveries / 4);
  await rateOf(bare, deliveries / 4);
  for (let round = 0; round < rounds; round++) {
    theirs.push(await costOf(bare, deliveries, serverCpu));
    ours.push(await costOf(handle(store), deliveries, serverCpu));
  }
  const ratio = (figure: (cost: Cost) => number) =>
    `${median(ours.map((cost, round) => figure(cost) / figure(theirs[round] as Cost))).toFixed(2)} ×`;
  return {
    'deliveries/s': shown(median(ours.map(({ rate }) => rate))),
    'bare statement': name,
    'bare/s': shown(median(theirs.map(({ rate }) => rate))),
    'time vs bare': ratio(({ rate }) => 1 / rate),
    'CPU vs bare': ratio(({ cpu }) => cpu),
  };
}

interface Cost {
  readonly rate: number;
  readonly cpu: number;
}

async function costOf(step: Step, deliveries: number, serverCpu: ServerCpu): Promise<Cost> {
  const before = await serverCpu();
  const start = process.cpuUsage();
  const rate = await rateOf(step, deliveries);
  const { user, system } = process.cpuUsage(start);
  return { rate, cpu: (user + system) / 1e6 + (await serverCpu()) - before };
}

async function overRedis(deliveries: number) {
  const server = await withRedis();
  const client = await createClient({ url: server.url }).connect();
  const bare: Step = (key) => client.set(`bare:${key}`, 'attempt', { NX: true, PX: 60_000 });
  try {
    const cpu: ServerCpu = async () => {
      const used = (await client.info('cpu')).matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm);
      return [...used].reduce((total, [, seconds]) => total + Number(seconds), 0);
    };
    return await compare(redisDedupe(client), 'SET NX', bare, deliveries * 2, cpu);
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
    // CPU time of the server's connections, in ticks of 10 ms. Its background processes do the same work for both.
    const backends = `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'`;
    const cpu: ServerCpu = async () => {
      const { rows } = await pool.query(backends);
      return rows.reduce((total, { pid }) => total + cpuOf(pid), 0);
    };
    return await compare(store, name, (key) => pool.query(insert, [key]), deliveries, cpu);
  } finally {
    await pool.end();
    await server.stop();
  }
}

/** CPU seconds of a process. Linux only; elsewhere 0, so that only this process counts. */
function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

const shown = (rate: number) => Math.round(rate).toLocaleString('en');
