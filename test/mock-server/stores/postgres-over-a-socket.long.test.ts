import { describe } from 'vitest';
import { postgresStore } from '../../../mock-server/stores/postgres.ts';
import { needs } from '../../support/needs.ts';
import { conformance } from '../http/conformance.ts';
import { overASocket } from '../http/over-a-socket.ts';
import { testDatabase } from './test-database.ts';

describe.runIf(needs('postgres'))('with PostgreSQL', () => {
  const database = testDatabase();

  conformance('over a socket, in PostgreSQL', (options) => {
    const store = postgresStore(database.pool, { schema: database.newSchema() });
    return overASocket({ store, ...options });
  });
});
