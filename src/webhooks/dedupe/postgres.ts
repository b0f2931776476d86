import { kindOf, misconfigured } from '../../signing/errors.ts';
import {
  type Dedupe,
  type DedupeTimes,
  LeaseLostError,
  readTimes,
  type SqlQuery,
} from './dedupe.ts';
import { defaultTable, postgresDdl, quoteIndex, quoteTable } from './postgres-table.ts';

/** Options of {@link postgresDedupe}. */
export interface PostgresDedupeOptions extends DedupeTimes {
  /** `table` or `schema.table`, in letters, digits and underscores. @default 'contentgen_webhook_deliveries' */
  readonly table?: string;
  /** Create the table on first use. With `false`, run `postgresDdl()` in a migration. @default true */
  readonly createTable?: boolean;
}

/** Expired rows are deleted once per this many completions. */
const sweepEvery = 200;

/**
 * Remembers deliveries in a PostgreSQL table, for any number of processes. Time is the database's clock.
 * `context.commitWith(tx)` writes the done mark through your own transaction, so that effect and mark commit
 * together or not at all.
 *
 * @param query - `(text, params) => Promise<{ rows }>`: `pool.query.bind(pool)` of pg, PGlite or Neon;
 * for postgres.js `async (text, params) => ({ rows: await sql.unsafe(text, params) })`.
 * @throws WebhookConfigurationError when the table name or a time is invalid.
 * @example
 * const dedupe = postgresDedupe((text, params) => pool.query(text, params));
 */
export function postgresDedupe(query: SqlQuery, options: PostgresDedupeOptions = {}): Dedupe {
  const { table = defaultTable, createTable = true } = options;
  const { leaseMs, ttlMs } = readTimes(options);
  if (typeof query !== 'function')
    misconfigured(
      `postgresDedupe got ${kindOf(query)}, not a query function`,
      'Pass (text, params) => pool.query(text, params).',
    );
  const name = quoteTable(table);
  const fromNow = (param: string) => `clock_timestamp() + ${param}::float8 * interval '1 ms'`;
  let completions = 0;
  let ready: Promise<unknown> | undefined;

  const run = async (text: string, params: (string | number)[]) => {
    if (createTable) {
      ready ??= createTableOnce(query, table).catch((error) => {
        ready = undefined;
        throw error;
      });
      await ready;
    }
    return rowsOf(await query(text, params));
  };
  const sweep = () =>
    run(
      `DELETE FROM ${name} WHERE key IN (SELECT key FROM ${name} WHERE expires_at < clock_timestamp()
       LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
      [],
    );
  return {
    leaseMs,
    async claim(key, attemptId) {
      const fresh = await run(
        `INSERT INTO ${name} (key, attempt_id, done, expires_at) VALUES ($1, $2, false, ${fromNow('$3')})
         ON CONFLICT (key) DO NOTHING RETURNING key`,
        [key, attemptId, leaseMs],
      );
      if (fresh.length > 0) return { state: 'claimed' };
      const [known] = await run(
        `SELECT done, extract(epoch FROM expires_at - clock_timestamp()) * 1000 AS left_ms
         FROM ${name} WHERE key = $1`,
        [key],
      );
      const leftMs = Number(known?.['left_ms'] ?? 1);
      if (leftMs > 0) return known?.['done'] ? { state: 'done' } : { state: 'in_flight', leftMs };
      const taken = await run(
        `UPDATE ${name} SET attempt_id = $2, done = false, expires_at = ${fromNow('$3')}
         WHERE key = $1 AND expires_at <= clock_timestamp() RETURNING key`,
        [key, attemptId, leaseMs],
      );
      return taken.length > 0 ? { state: 'claimed' } : { state: 'in_flight', leftMs: 1 };
    },
    async renew(key, attemptId) {
      const rows = await run(
        `UPDATE ${name} SET expires_at = ${fromNow('$3')}
         WHERE key = $1 AND attempt_id = $2 AND NOT done RETURNING key`,
        [key, attemptId, leaseMs],
      );
      return rows.length > 0;
    },
    async complete(key, attemptId) {
      await run(
        `INSERT INTO ${name} (key, attempt_id, done, expires_at) VALUES ($1, $2, true, ${fromNow('$3')})
         ON CONFLICT (key) DO UPDATE SET done = true, expires_at = excluded.expires_at`,
        [key, attemptId, ttlMs],
      );
      completions += 1;
      if (completions % sweepEvery === 0) await sweep();
    },
    async release(key, attemptId) {
      await run(`DELETE FROM ${name} WHERE key = $1 AND attempt_id = $2 AND NOT done`, [
        key,
        attemptId,
      ]);
    },
    async commitWith(transaction, key, attemptId) {
      const rows = rowsOf(
        await transaction(
          `UPDATE ${name} SET done = true, expires_at = ${fromNow('$3')}
           WHERE key = $1 AND attempt_id = $2 AND NOT done RETURNING key`,
          [key, attemptId, ttlMs],
        ),
      );
      if (rows.length === 0) throw new LeaseLostError();
    },
  };
}

type Row = Readonly<Record<string, unknown>>;

/** Some clients return the rows themselves. */
function rowsOf(result: { rows: readonly unknown[] } | readonly unknown[]): readonly Row[] {
  return ('rows' in result ? result.rows : result) as readonly Row[];
}

/**
 * `IF NOT EXISTS` only sees what is committed, so concurrent CREATE TABLEs collide in the catalog. They wait for each
 * other through an advisory lock, in one statement because a pool can send each statement over another connection.
 * A concurrent migration does not take that lock: the second try is for it. If the table exists, nothing is locked
 * and no right to create tables is needed.
 */
async function createTableOnce(query: SqlQuery, table: string): Promise<void> {
  const text = `DO $$ BEGIN
IF to_regclass('${quoteTable(table)}') IS NULL OR to_regclass('${quoteIndex(table)}') IS NULL THEN
PERFORM pg_advisory_xact_lock(1668247156);
${postgresDdl(table).join(';\n')};
END IF;
END $$`;
  const create = async () => query(text, []);
  await create().catch(create);
}
