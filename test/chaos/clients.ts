import { Redis } from 'ioredis';
import pg from 'pg';
import postgres from 'postgres';
import { createClient } from 'redis';
import type { Dedupe } from '../../src/webhooks/index.ts';
import { postgresDedupe, type SqlQuery } from '../../src/webhooks/postgres.ts';
import { redisDedupe } from '../../src/webhooks/redis.ts';

/** The clients through which receivers reach their stores. */
export type ClientName = 'node-redis' | 'ioredis' | 'pg' | 'postgres.js';

export interface ConnectOptions {
  readonly client: ClientName;
  readonly url: string;
  readonly leaseMs: number;
  /** The client has its own defaults, not the settings of docs/idempotency.md: it waits forever and queues commands. */
  readonly hasDefaults: boolean;
}

export interface Connection {
  readonly dedupe: Dedupe;
  /** Runs `work` in a transaction. */
  commit?(work: (query: SqlQuery) => Promise<void>): Promise<void>;
}

/** Connects as docs/idempotency.md shows, or with the client's defaults. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  return (await connectors[options.client](options)) as Connection;
}

/** Large enough for one connection per delivery of a fault. */
const poolSize = 6;

const connectors: {
  [Name in ClientName]: (options: ConnectOptions) => Connection | Promise<Connection>;
} = {
  async 'node-redis'({ url, hasDefaults, ...times }) {
    const client = createClient({ url, ...(!hasDefaults && nodeRedisSettings) });
    client.on('error', logRedis);
    await client.connect();
    return overRedis(client, times);
  },
  async ioredis({ url, hasDefaults, ...times }) {
    const client = new Redis(url, hasDefaults ? {} : ioredisSettings);
    client.on('error', logRedis);
    await new Promise((resolve) => client.once('ready', resolve));
    return overRedis(client, times);
  },
  pg({ url, hasDefaults, leaseMs }) {
    const pool = new pg.Pool({
      connectionString: url,
      max: poolSize,
      ...(!hasDefaults && { connectionTimeoutMillis: 3000, query_timeout: 3500, keepAlive: true }),
    });
    pool.on('error', (error) => console.log('PostgreSQL:', error.message));
    pool.on('connect', (client) => client.on('error', () => {}));
    return {
      dedupe: postgresDedupe((text, params) => pool.query(text, params), { leaseMs }),
      commit: (work) => commitOverPg(pool, work),
    };
  },
  'postgres.js'({ url, hasDefaults, leaseMs }) {
    const sql = postgres(url, {
      max: poolSize,
      onnotice: () => {},
      // PgBouncer in transaction mode does not keep prepared statements for a session.
      ...(!hasDefaults && { connect_timeout: 3, backoff: () => 1, prepare: false }),
    });
    const query: SqlQuery = async (text, params) => ({ rows: await sql.unsafe(text, params) });
    return { dedupe: postgresDedupe(query, { leaseMs }) };
  },
};

const nodeRedisSettings = {
  disableOfflineQueue: true,
  pingInterval: 2000,
  socket: { connectTimeout: 3000, socketTimeout: 5000 },
};

const ioredisSettings = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  commandTimeout: 3000,
  socketTimeout: 5000,
};

const logRedis = (error: Error) => console.log('Redis:', error.message);

function overRedis(
  client: Parameters<typeof redisDedupe>[0],
  { leaseMs }: Pick<ConnectOptions, 'leaseMs'>,
): Connection {
  return { dedupe: redisDedupe(client, { leaseMs }) };
}

async function commitOverPg(pool: pg.Pool, work: (query: SqlQuery) => Promise<void>) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await work((text, params) => client.query(text, params));
    await client.query('COMMIT');
  } catch (error) {
    client.release(true);
    throw error;
  }
  client.release();
}
