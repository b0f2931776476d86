import { checkedLater, flag, type OptionRules } from '../../options/rules.ts';
import { random } from '../../platform/driver.ts';
import { assertOptions, kindOf, misconfigured } from '../../signing/errors.ts';
import { LeaseLostError } from '../queue/give-up.ts';
import { createTable as createMissing, isLocked, isTableMissing } from './create-table.ts';
import {
  type DedupeStore,
  type DedupeTimes,
  readTimes,
  type SqlQuery,
  timesRules,
} from './lease-times.ts';
import { statements } from './postgres-statements.ts';
import { defaultTable, quoteTable, readRow, rowsOf } from './postgres-table.ts';

/** Options of {@link postgresDedupe}. */
export interface PostgresDedupeOptions extends DedupeTimes {
  /** `table` or `schema.table`, in letters, digits and underscores. @default 'contentgen_webhook_deliveries' */
  readonly table?: string;
  /** Create the table on first use. With `false`, run `postgresDdl()` in a migration. @default true */
  readonly createTable?: boolean;
}

const rules: OptionRules<PostgresDedupeOptions> = {
  ...timesRules,
  table: checkedLater,
  createTable: flag,
};

/** One completion in this many, at random, also deletes expired rows, so that short-lived processes do it too. */
const sweepEvery = 100;
const sweepSize = 1000;

/**
 * Remembers deliveries in a PostgreSQL table, for any number of processes. Time is that of the database's clock.
 * Neither claims nor done marks wait for a row that a transaction holds for more than 100 ms.
 * `context.commitWith(tx)` writes the done mark through your own transaction, so that effect and mark commit together
 * or not at all.
 *
 * @param query - `(text, params) => Promise<{ rows }>`: `pool.query.bind(pool)` of pg, PGlite or Neon; for postgres.js
 * `async (text, params) => ({ rows: await sql.unsafe(text, params) })`.
 * @throws WebhookConfigurationError when the table name or a time is invalid.
 * @example
 * const dedupe = postgresDedupe((text, params) => pool.query(text, params));
 */
export function postgresDedupe(query: SqlQuery, options: PostgresDedupeOptions = {}): DedupeStore {
  assertOptions(options, rules);
  const { table = defaultTable, createTable = true } = options;
  const { leaseMs, ttlMs } = readTimes(options);
  if (typeof query !== 'function')
    misconfigured(
      `postgresDedupe got ${kindOf(query)}, not a query function`,
      'Pass (text, params) => pool.query(text, params).',
    );
  const sql = statements(quoteTable(table));
  const run = async (text: string, params: (string | number)[]) => {
    try {
      return await rowsOf(query, text, params);
    } catch (error) {
      if (!createTable || !isTableMissing(error)) throw error;
      // Each statement for itself: the query function can choose another database for each delivery.
      await createMissing(query, table);
      return rowsOf(query, text, params);
    }
  };

  /** The rows, or `undefined` if a transaction holds the row of this key. */
  const ifFree = async (text: string, params: (string | number)[]) => {
    try {
      return await run(text, params);
    } catch (error) {
      if (isLocked(error)) return undefined;
      throw error;
    }
  };

  const sweep = async () => {
    if (random() * sweepEvery >= 1) return;
    // If it fails, a later sweep deletes the rows.
    await run(sql.sweep, [sweepSize]).catch(() => {});
  };
  return {
    leaseMs,
    ttlMs,
    async claim(key, attemptId) {
      const isNew = await ifFree(sql.claim, [key, attemptId, leaseMs]);
      if (isNew && isNew.length > 0) return { state: 'claimed' };
      const [row] = isNew ? await run(sql.held, [key]) : [];
      // A transaction holds it, or it was released between the two statements.
      if (!row) return { state: 'in_flight', leftMs: 1 };
      const { done, remaining } = readRow(row, 'done', 'remaining');
      const leftMs = Number(remaining);
      if (leftMs > 0) return done ? { state: 'done' } : { state: 'in_flight', leftMs };
      const taken = await run(sql.takeOver, [key, attemptId, leaseMs]);
      return taken.length > 0 ? { state: 'claimed' } : { state: 'in_flight', leftMs: 1 };
    },
    async renew(key, attemptId) {
      return (await run(sql.renew, [key, attemptId, leaseMs])).length > 0;
    },
    async complete(key, attemptId) {
      if (!(await ifFree(sql.complete, [key, attemptId, ttlMs])))
        throw new Error('Failed to write the done mark: another transaction holds its row.');
      void sweep();
    },
    async release(key, attemptId) {
      await run(sql.release, [key, attemptId]);
    },
    async commitWith(transaction, key, attemptId) {
      const [begun = {}] = await rowsOf(transaction, sql.transaction, []);
      const { transaction: name } = readRow(begun, 'transaction');
      const [row = {}] = await rowsOf(transaction, sql.commit, [key, attemptId, ttlMs, `${name}`]);
      const { marked, inside } = readRow(row, 'marked', 'inside');
      if (!inside)
        throw new Error(
          'commitWith was called outside a transaction. Pass the query function of the open transaction: after BEGIN, that of its client.',
        );
      if (!marked) throw new LeaseLostError();
    },
    async forget(key) {
      return (await run(sql.forget, [key])).length > 0;
    },
  };
}
