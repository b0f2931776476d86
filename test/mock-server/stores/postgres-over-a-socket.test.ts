import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { postgresStore } from '../../../mock-server/stores/postgres.ts';
import { needs } from '../../support/needs.ts';
import { type ThrowAwayPostgres, withPostgres } from '../../support/servers.ts';
import { conformance } from '../http/conformance.ts';
import { overASocket } from '../http/over-a-socket.ts';

describe.runIf(needs('postgres'))('with PostgreSQL', () => {
  let postgres: ThrowAwayPostgres;
  let pool: pg.Pool;
  let schemas = 0;
  beforeAll(async () => {
    postgres = await withPostgres();
    pool = new pg.Pool({ connectionString: postgres.url });
    pool.on('error', () => {});
  });
  afterAll(async () => {
    await pool?.end();
    await postgres?.stop();
  });

  conformance('over a socket, in PostgreSQL', (options) => {
    schemas += 1;
    return overASocket({ store: postgresStore(pool, { schema: `test_${schemas}` }), ...options });
  });
});
