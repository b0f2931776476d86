import { assertKnownOptions } from '../domain/known-options.ts';
import { joinElection } from './postgres/election.ts';
import type { PostgresPool } from './postgres/session.ts';
import type { SharedStore } from './shared-store.ts';

export { PostgresStoreError } from './postgres/error.ts';
export type { PostgresClient, PostgresPool } from './postgres/session.ts';
export type { SharedStore } from './shared-store.ts';

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions {
  /** Schema for the tables, created unless it exists: letters, digits and `_`, at most 48. @default 'contentgen' */
  readonly schema?: string;
  /**
   * Where the other processes can reach this one, to forward requests while it is the leader. @default where `serve`
   * listens
   */
  readonly url?: string;
  /**
   * Milliseconds without a sign of life after which a standby ends the leader's session and takes over. 500 to 60 000.
   * A leader whose connection ends is replaced at once.
   * @default 5_000
   */
  readonly takeoverMs?: number;
}

const optionNames: Record<keyof PostgresStoreOptions, true> = {
  schema: true,
  url: true,
  takeoverMs: true,
};

const SCHEMA = /^[A-Za-z_][A-Za-z0-9_]{0,47}$/;

/**
 * Keeps the state of a reference server in PostgreSQL 12 or later, for several processes. One is the leader; the others
 * are standbys, and one of them takes over when the leader ends. Each process holds one connection of its pool, which
 * needs session state: a pooler in transaction mode does not work.
 *
 * @throws TypeError for an invalid option
 * @example
 * ```ts
 * import { createMockServer } from 'contentgen/mock';
 * import { serve } from 'contentgen/mock/http';
 * import { postgresStore } from 'contentgen/mock/postgres';
 * import { Pool } from 'pg';
 *
 * const pool = new Pool({ connectionString: process.env['DATABASE_URL'] });
 * const mock = createMockServer({ store: postgresStore(pool), baseUrl: 'https://mock.example.test' });
 * await serve(mock, { port: 4010 });
 * console.log(mock.leadership?.leading);
 * ```
 */
export function postgresStore(pool: PostgresPool, options: PostgresStoreOptions = {}): SharedStore {
  assertKnownOptions('create the PostgreSQL store', options, optionNames);
  const { schema = 'contentgen', url, takeoverMs = 5_000 } = options;
  check(
    typeof pool?.connect === 'function',
    'the first argument must be a pool of the package pg.',
  );
  check(
    SCHEMA.test(schema),
    'schema must be 1 to 48 letters, digits or underscores, and not start with a digit.',
  );
  check(
    takeoverMs >= 500 && takeoverMs <= 60_000,
    'takeoverMs must be a number of milliseconds from 500 to 60 000.',
  );
  check(url === undefined || URL.canParse(url), 'url must be an http(s) URL.');
  return { join: (candidate) => joinElection(pool, { schema, url, takeoverMs }, candidate) };
}

function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new TypeError(`Failed to create the PostgreSQL store: ${message}`);
}
