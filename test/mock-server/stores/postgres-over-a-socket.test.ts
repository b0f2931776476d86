import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { serve } from '../../../mock-server/http/serve.ts';
import { createMockServer } from '../../../mock-server/index.ts';
import { postgresStore } from '../../../mock-server/stores/postgres.ts';
import { needs } from '../../support/needs.ts';
import { type ThrowAwayPostgres, withPostgres } from '../../support/servers.ts';
import { conformance } from '../http/conformance.ts';

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

  conformance('over a socket, in PostgreSQL', async (options) => {
    schemas += 1;
    const store = postgresStore(pool, { schema: `test_${schemas}` });
    const mock = createMockServer({ clock: 'manual', seed: 1, store, ...options });
    const server = await serve(mock, { port: 0 });
    return {
      mock,
      baseUrl: server.url,
      fetch: globalThis.fetch,
      async close() {
        await server.close({ graceMs: 100 });
        await mock.close();
      },
    };
  });
});
