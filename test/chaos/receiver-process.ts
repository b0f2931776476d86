import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import pg from 'pg';
import { createClient, createCluster } from 'redis';
import {
  createWebhookHandler,
  type Dedupe,
  type WebhookContext,
} from '../../src/webhooks/index.ts';
import { toNodeHandler } from '../../src/webhooks/node/index.ts';
import { postgresDedupe } from '../../src/webhooks/postgres.ts';
import { redisDedupe } from '../../src/webhooks/redis.ts';
import type { FromReceiver, ReceiverOptions, ToReceiver } from './receiver.ts';

// A receiver that stops at a moment of a delivery until it may go on: node receiver-process.ts <options as JSON>.
// Its clients are configured like those of docs/idempotency.md.
const options = JSON.parse(process.argv[2] ?? '') as ReceiverOptions;
const { leaseMs, ledger } = options;
const tell = (message: FromReceiver) => process.send?.(message);
const waiting = new Map<string, () => void>();
const seen = new Set<string>();

/** Stops the delivery named `<anything>-at-<moment>`, the first time. */
async function stopAt(moment: string, id: string): Promise<void> {
  if (!options.stops || !id.endsWith(`-at-${moment}`) || seen.has(id)) return;
  seen.add(id);
  tell({ at: id });
  await new Promise<void>((resolve) => waiting.set(id, resolve));
}

const pool = options.kind === 'postgres' ? postgresPool() : undefined;
const dedupe = pool
  ? postgresDedupe((text, params) => pool.query(text, params), { leaseMs })
  : redisDedupe(await redisClient(), { leaseMs, prefix: '{a}' });

const stopping: Dedupe = {
  ...dedupe,
  async claim(key, attemptId) {
    await stopAt('claim', key);
    return dedupe.claim(key, attemptId);
  },
  async complete(key, attemptId) {
    if (!options.commits) await stopAt('mark', key);
    return dedupe.complete(key, attemptId);
  },
};

const handler = createWebhookHandler({
  secret: options.secret,
  dedupe: stopping,
  logger: { warn: () => {}, error: (line) => console.log(line.split('\n')[0]) },
  onOther: async ({ id }, context) => {
    if (options.commits) return commit(id, context);
    await stopAt('callback', id);
    // At once and on disk, so that no kill can lose it.
    appendFileSync(ledger, `${id}\n`);
  },
});

async function commit(id: string, { commitWith }: WebhookContext): Promise<void> {
  if (!pool) throw new Error('Only PostgreSQL commits.');
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await stopAt('callback', id);
    await client.query('INSERT INTO effects (id) VALUES ($1)', [id]);
    await commitWith((text, params) => client.query(text, params));
    await stopAt('mark', id);
    await client.query('COMMIT');
  } catch (error) {
    client.release(true);
    throw error;
  }
  client.release();
}

function postgresPool(): pg.Pool {
  const made = new pg.Pool({
    connectionString: options.url,
    max: 6,
    connectionTimeoutMillis: 3000,
    query_timeout: 3500,
    keepAlive: true,
  });
  made.on('error', (error) => console.log('PostgreSQL:', error.message));
  made.on('connect', (client) => client.on('error', () => {}));
  return made;
}

async function redisClient() {
  const settings = {
    disableOfflineQueue: true,
    pingInterval: 2000,
    socket: { connectTimeout: 3000, socketTimeout: 5000 },
  };
  const client =
    options.kind === 'redis'
      ? createClient({ url: options.url, ...settings })
      : createCluster({
          rootNodes: options.url.split(',').map((url) => ({ url })),
          defaults: settings,
        });
  client.on('error', (error: Error) => console.log('Redis:', error.message));
  await client.connect();
  return client;
}

let held: pg.PoolClient[] = [];

process.on('message', async (message: ToReceiver) => {
  if (message === 'go') {
    for (const resolve of waiting.values()) resolve();
    waiting.clear();
  } else if (message === 'exhaust') {
    while (pool && pool.totalCount - pool.idleCount < 6) held.push(await pool.connect());
    tell({ exhausted: true });
  } else {
    for (const client of held) client.release();
    held = [];
  }
});
process.on('disconnect', () => process.exit());

const server = createServer(toNodeHandler(handler)).listen(0, '127.0.0.1', () => {
  const address = server.address();
  tell({ port: typeof address === 'object' ? (address?.port ?? 0) : 0 });
});
