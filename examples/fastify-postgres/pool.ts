import pg from 'pg';

/** A pool that survives restarts of PostgreSQL: it replaces lost and unresponsive connections. */
export function createPool(config: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionTimeoutMillis: 3000,
    query_timeout: 3500,
    keepAlive: true,
    ...config,
  });
  // Without these listeners, losing a connection, whether idle or in use, ends the process.
  pool.on('error', (error) => console.error('PostgreSQL:', error.message));
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Runs `work` in a transaction. */
export async function inTransaction(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await work(client);
    await client.query('COMMIT');
  } catch (error) {
    // Closes the connection, which rolls back. On a lost connection, ROLLBACK would fail and hide the cause.
    client.release(true);
    throw error;
  }
  client.release();
}
