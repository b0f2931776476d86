import type { SqlQuery } from 'contentgen/webhooks/postgres';
import { Pool, type PoolClient } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { type ThrowAwayPostgres, withPostgres } from '../support/servers.ts';

export const table = 'contentgen_webhook_deliveries';

/** The query function of a pool or client of `pg`. */
export const through =
  (client: () => Pool | PoolClient): SqlQuery =>
  (text, params) =>
    client().query(text, [...params]);

/** What `usePostgres` gives the tests of a `describe` block. */
export type Postgres = ReturnType<typeof usePostgres>;

/** A PostgreSQL for the tests of a `describe` block, with a pool of connections and a table for effects. */
export function usePostgres() {
  let server: ThrowAwayPostgres;
  let pool: Pool;
  beforeAll(async () => {
    server = await withPostgres();
    pool = new Pool({ connectionString: server.url, max: 20 });
    await pool.query('CREATE TABLE effects (id text)');
  });
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });
  return {
    server: () => server,
    pool: () => pool,
    query: through(() => pool),
    async run(statements: readonly string[]) {
      for (const statement of statements) await pool.query(statement);
    },
    /** Lets all leases expire, or that of one key. */
    async expire(key = '%') {
      const expired = 'UPDATE contentgen_webhook_deliveries SET expires_at = clock_timestamp()';
      await pool.query(`${expired} WHERE NOT done AND key LIKE $1`, [key]);
    },
    /** Runs `work` in a transaction, after it has written an effect with this id. */
    async transaction(
      id: string,
      work: (query: SqlQuery, client: PoolClient) => unknown,
      begin = 'BEGIN',
    ) {
      const client = await pool.connect();
      try {
        await client.query(begin);
        await client.query('INSERT INTO effects VALUES ($1)', [id]);
        await work(
          through(() => client),
          client,
        );
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    },
    /** How many effects with this id were committed. */
    effects: async (id: string) =>
      (await pool.query('SELECT 1 FROM effects WHERE id = $1', [id])).rowCount,
  };
}
