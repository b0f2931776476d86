import { elapsed, random } from '../../platform/driver.ts';
import { assertKnownOptions, kindOf, misconfigured } from '../../signing/errors.ts';
import { createBatches } from './batches.ts';
import {
  type Dedupe,
  type DedupeTimes,
  LeaseLostError,
  readTimes,
  type SqlQuery,
} from './dedupe.ts';
import { statements } from './postgres-statements.ts';
import { defaultTable, postgresDdl, quoteIndex, quoteTable } from './postgres-table.ts';
import { type Row, rowsOf } from './sql-rows.ts';

/** Options of {@link postgresDedupe}. */
export interface PostgresDedupeOptions extends DedupeTimes {
  /** `table` or `schema.table`, in letters, digits and underscores. @default 'contentgen_webhook_deliveries' */
  readonly table?: string;
  /** Create the table on first use. With `false`, run `postgresDdl()` in a migration. @default true */
  readonly createTable?: boolean;
}

const optionNames: Record<keyof PostgresDedupeOptions, true> = {
  table: true,
  createTable: true,
  leaseMs: true,
  ttlMs: true,
};

/** One completion in so many also deletes expired rows: by chance, so that processes with short lives do it too. */
const sweepEvery = 100;
const sweepSize = 1000;

/** Starting over is safe, and a connection that hangs must not block the store for ever. */
const creatingHangsAfterMs = 5000;

/**
 * Remembers deliveries in a PostgreSQL table, for any number of processes. Time is the database's clock. Concurrent
 * deliveries share statements, and no step waits for a row that another transaction holds.
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
  assertKnownOptions(options, optionNames);
  const { table = defaultTable, createTable = true } = options;
  const { leaseMs, ttlMs } = readTimes(options);
  if (typeof query !== 'function')
    misconfigured(
      `postgresDedupe got ${kindOf(query)}, not a query function`,
      'Pass (text, params) => pool.query(text, params).',
    );
  const sql = statements(quoteTable(table));
  const ensureTable = createTable ? ensureOnce(() => createTableOnce(query, table)) : undefined;
  const run = async (text: string, params: (string | number)[]) => {
    await ensureTable?.();
    return rowsOf(query, text, params);
  };

  const claims = createBatches(
    async (calls: readonly Call[]): Promise<readonly (Row | undefined)[]> => {
      const rows = await run(sql.claim, [JSON.stringify(calls), leaseMs]);
      const byKey = new Map(rows.map((row) => [row['key'], row]));
      return calls.map(({ key, attempt }) => {
        const row = byKey.get(key);
        const isOurs = row?.['left_ms'] !== null || row['attempt_id'] === attempt;
        return isOurs ? row : undefined;
      });
    },
  );
  const completions = createBatches(async (calls: readonly Call[]) => {
    const rows = await run(sql.complete, [JSON.stringify(calls), ttlMs]);
    const marked = new Set(rows.map((row) => row['key']));
    return calls.map(({ key }) => marked.has(key));
  });
  const sweep = async () => {
    if (random() * sweepEvery >= 1) return;
    // What fails now is deleted by a later sweep.
    await run(sql.sweep, [sweepSize]).catch(() => {});
  };
  return {
    leaseMs,
    async claim(key, attemptId) {
      const row = await claims({ key, attempt: attemptId });
      // Another process claimed it between the two halves of the statement.
      if (!row) return { state: 'in_flight', leftMs: 1 };
      if (row['left_ms'] === null) return { state: 'claimed' };
      const leftMs = Number(row['left_ms']);
      if (leftMs > 0) return row['done'] ? { state: 'done' } : { state: 'in_flight', leftMs };
      const taken = await run(sql.takeOver, [key, attemptId, leaseMs]);
      return taken.length > 0 ? { state: 'claimed' } : { state: 'in_flight', leftMs: 1 };
    },
    async renew(key, attemptId) {
      return (await run(sql.renew, [key, attemptId, leaseMs])).length > 0;
    },
    async complete(key, attemptId) {
      if (!(await completions({ key, attempt: attemptId })))
        throw new Error('Failed to write the done mark: another transaction holds its row.');
      void sweep();
    },
    async release(key, attemptId) {
      await run(sql.release, [key, attemptId]);
    },
    async commitWith(transaction, key, attemptId) {
      const rows = await rowsOf(transaction, sql.commit, [key, attemptId, ttlMs]);
      if (rows.length === 0) throw new LeaseLostError();
    },
    times: {
      async read(key) {
        const [row] = await run(sql.readTime, [key]);
        return row && Number(row['attempt_id']);
      },
      async raise(key, time) {
        await run(sql.raiseTime, [key, `${time}`, ttlMs]);
      },
    },
  };
}

interface Call {
  readonly key: string;
  readonly attempt: string;
}

/** Runs `work` until it succeeds once; concurrent callers share a run unless it hangs. */
function ensureOnce(work: () => Promise<void>): () => Promise<void> {
  let shared: Promise<void> | undefined;
  let isDone = false;
  let startedAt = 0;
  return async () => {
    if (isDone) return;
    if (!shared || elapsed() - startedAt > creatingHangsAfterMs) {
      startedAt = elapsed();
      const started = work().then(
        () => {
          isDone = true;
        },
        (error) => {
          if (shared === started) shared = undefined;
          throw error;
        },
      );
      shared = started;
    }
    await shared;
  };
}

const insufficientPrivilege = '42501';

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
  await create()
    .catch(create)
    .catch((error) => {
      if (Object(error).code !== insufficientPrivilege) throw error;
      misconfigured(
        `the table ${table} is missing, and this user cannot create it`,
        'Run the statements of postgresDdl() in a migration and pass createTable: false.',
        error,
      );
    });
}
