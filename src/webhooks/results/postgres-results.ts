import { flag } from '../../option-rules.ts';
import { random, setTimer } from '../../platform/driver.ts';
import { assertOptions, checkedLater, kindOf, misconfigured } from '../../signing/errors.ts';
import { tableCreator } from '../dedupe/create-table.ts';
import type { SqlQuery } from '../dedupe/dedupe.ts';
import { quoteIndex, quoteTable, rowsOf } from '../dedupe/postgres-table.ts';
import { surviveErrorsOfPool } from '../keep-alive.ts';
import {
  createSharedResults,
  type ResultListener,
  type SharedResults,
  type SharedResultsOptions,
  sharedResultsRules,
} from './shared-results.ts';

/** A pool connection that listens. */
export interface ListeningClient {
  /** Runs one statement. */
  query(text: string): Promise<unknown>;
  /** Listens to an event of the connection. */
  on(event: string, listener: (message: never) => void): unknown;
  /** Returns the connection to the pool; with `true`, it is closed. */
  release(destroy?: boolean): void;
}

/** A `pg` pool. */
export interface ListeningPool {
  /** Runs one query over any connection. */
  readonly query: SqlQuery;
  /** Lends a connection. */
  connect(): Promise<ListeningClient>;
}

/** Options of {@link postgresResults}. */
export interface PostgresResultsOptions extends SharedResultsOptions {
  /** `table` or `schema.table`, in letters, digits and underscores. @default 'contentgen_results' */
  readonly table?: string;
  /** Create the table on first use. With `false`, run `postgresResultsDdl()` in a migration. @default true */
  readonly createTable?: boolean;
}

const defaultTable = 'contentgen_results';

/** One write in this many, at random, also deletes expired results, so that short-lived processes do it too. */
const sweepEvery = 100;

/** How long the listener waits before it reconnects, ms: longer each time. */
const reconnectMs = [50, 200, 1000, 3000];

/**
 * Shares results between processes through PostgreSQL (`LISTEN`, `NOTIFY` and a table): the callback arrives in one,
 * and `job.wait({ results })` settles in another. A process that waits keeps one connection of the pool until
 * `close()`; it must not go through PgBouncer in transaction mode.
 *
 * @throws WebhookConfigurationError when an option is unknown or wrong.
 * @example
 * const results = postgresResults(pool);
 * createWebhookHandler({ secret, results });
 * await job.wait({ results });
 */
export function postgresResults(
  pool: ListeningPool,
  options: PostgresResultsOptions = {},
): SharedResults {
  assertOptions(options, { ...sharedResultsRules, table: checkedLater, createTable: flag });
  const { table = defaultTable, createTable = true } = options;
  if (typeof pool?.query !== 'function' || typeof pool.connect !== 'function')
    misconfigured(`postgresResults got ${kindOf(pool)}, not a pool`, 'Pass a Pool of pg.');
  surviveErrorsOfPool(pool);
  const name = quoteTable(table);
  const query: SqlQuery = (text, params) => pool.query(text, params);
  const ensure = createTable
    ? tableCreator(query, table, postgresResultsDdl, 'postgresResultsDdl')
    : async () => {};
  // A channel name follows the rules of a table name. NOTIFY arrives once the row is committed.
  const channel = table.replace('.', '_');
  const save = `WITH saved AS (
  INSERT INTO ${name} AS r (request_id, event, expires_at)
  VALUES ($1, $2, statement_timestamp() + $3::float8 * interval '1 ms')
  ON CONFLICT (request_id) DO UPDATE SET event = excluded.event, expires_at = excluded.expires_at
  RETURNING request_id)
SELECT pg_notify('${channel}', request_id) FROM saved`;
  const load = `SELECT event FROM ${name} WHERE request_id = $1 AND expires_at > statement_timestamp()`;
  const sweep = `DELETE FROM ${name} WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM ${name} WHERE expires_at < statement_timestamp() LIMIT 1000 FOR UPDATE SKIP LOCKED))`;
  return createSharedResults(
    {
      async save(requestId, result, ttlMs) {
        await ensure();
        await query(save, [requestId, result, ttlMs]);
        if (random() * sweepEvery < 1) query(sweep, []).catch(() => {});
      },
      async load(requestId) {
        await ensure();
        const [row] = await rowsOf(query, load, [requestId]);
        return row?.['event'] as string | undefined;
      },
      listen: (listener) => listenOn(pool, channel, listener),
    },
    options,
  );
}

/**
 * The statements that create the table, for a migration. Each one does nothing if its object already exists.
 *
 * @example
 * for (const statement of postgresResultsDdl()) await pool.query(statement);
 */
export function postgresResultsDdl(table: string = defaultTable): string[] {
  const index = quoteIndex(table).split('.').at(-1);
  return [
    `CREATE TABLE IF NOT EXISTS ${quoteTable(table)} (
  request_id text PRIMARY KEY,
  event text NOT NULL,
  expires_at timestamptz NOT NULL
)`,
    `CREATE INDEX IF NOT EXISTS ${index} ON ${quoteTable(table)} (expires_at)`,
  ];
}

/** Listens over one connection, and over a new one when that is lost. */
async function listenOn(pool: ListeningPool, channel: string, listener: ResultListener) {
  let current: ListeningClient | undefined;
  let isStopped = false;
  const connect = async () => {
    const client = await pool.connect();
    const lose = () => {
      if (current !== client) return;
      current = undefined;
      client.release(true);
      void reconnect(0);
    };
    client.on('error', lose);
    client.on('end', lose);
    client.on('notification', ({ payload }: { payload?: string }) => {
      if (payload) listener.announced(payload);
    });
    try {
      await client.query(`LISTEN "${channel}"`);
    } catch (error) {
      client.release(true);
      throw error;
    }
    current = client;
  };
  const reconnect = async (failures: number): Promise<void> => {
    const ms = reconnectMs[Math.min(failures, reconnectMs.length - 1)] as number;
    await new Promise<void>((resolve) => setTimer(resolve, ms));
    if (isStopped) return;
    try {
      await connect();
    } catch {
      return reconnect(failures + 1);
    }
    if (isStopped) return stop();
    listener.reconnected();
  };
  const stop = async () => {
    isStopped = true;
    const client = current;
    current = undefined;
    client?.release(true);
  };
  await connect();
  return stop;
}
