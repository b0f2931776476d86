import pg from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { prepareSchema, schemaOf } from '../../../mock-server/stores/postgres/schema.ts';
import { openSession } from '../../../mock-server/stores/postgres/session.ts';
import { type ThrowAwayPostgres, withPostgres } from '../../support/servers.ts';

/** Starts a PostgreSQL for the tests of one `describe`, with a pool of connections. */
export function testDatabase() {
  let postgres: ThrowAwayPostgres;
  let pool: pg.Pool;
  let schemas = 0;
  beforeAll(async () => {
    postgres = await withPostgres();
    pool = new pg.Pool({ connectionString: postgres.url, max: 20 });
    pool.on('error', () => {});
  });
  afterAll(async () => {
    await pool?.end();
    await postgres?.stop();
  });

  return {
    get pool() {
      return pool;
    },
    get port() {
      return postgres.port;
    },
    newSchema(): string {
      schemas += 1;
      return `test_${schemas}`;
    },
    /** A session in which a schema is ready. */
    async open(name: string) {
      const session = await openSession(pool, 5000);
      onTestFinished(() => session.close());
      await prepareSchema(session, name);
      return { session, schema: schemaOf(name) };
    },
  };
}
