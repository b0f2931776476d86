import pg from 'pg';

/** A pool that survives a restart of the server: a connection that is lost or silent is replaced. */
export function createPool(config: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionTimeoutMillis: 3000,
    query_timeout: 3500,
    keepAlive: true,
    ...config,
  });
  // Without these listeners, a lost connection ends the process, idle or in use.
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
    // Closes the connection, which rolls back. A ROLLBACK would fail on a lost connection and hide the cause.
    client.release(true);
    throw error;
  }
  client.release();
}
