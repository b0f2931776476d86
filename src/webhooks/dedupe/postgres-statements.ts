/**
 * The statements of a dedupe table, by its quoted name. Columns of results have names of one word, which no client
 * renames. `statement_timestamp()` is stable, so indexes can use it.
 *
 * A renewal is a row of its own, so that it never changes the row that a transaction of the caller writes: at
 * REPEATABLE READ, PostgreSQL refuses to write what was changed since the transaction began.
 *
 * A claim and a mark cost what one plain INSERT costs: nothing else is read. A row that an open transaction has changed
 * would make them wait for its end, so that they limit the wait themselves.
 */
export function statements(table: string) {
  // Its result is the text; it ends with the statement. What still waits then fails, see `isLocked`.
  const hurry = `set_config('lock_timeout', '100', true)`;
  const fromNow = (ms: string) => `statement_timestamp() + ${ms}::float8 * interval '1 ms'`;
  const renewal = (row: string) => `'renewed ' || ${row}.attempt_id`;
  const until = (row: string) =>
    `greatest(${row}.expires_at, (SELECT r.expires_at FROM ${table} r WHERE r.key = ${renewal(row)}))`;
  return {
    /** Claims a key that is new. One plain statement, because most deliveries are new. */
    claim: `INSERT INTO ${table} (key, attempt_id, done, expires_at)
VALUES ($1, $2, ${hurry} IS NULL, ${fromNow('$3')}) ON CONFLICT (key) DO NOTHING RETURNING key`,

    held: `SELECT done, (extract(epoch FROM ${until('t')} - statement_timestamp()) * 1000)::float8 AS remaining
FROM ${table} t WHERE key = $1`,

    /** Claims a key that has expired, unless another transaction holds it. */
    takeOver: `UPDATE ${table} SET attempt_id = $2, done = false, expires_at = ${fromNow('$3')}
WHERE key = (SELECT key FROM ${table} t WHERE key = $1 AND ${until('t')} <= statement_timestamp() FOR UPDATE SKIP LOCKED)
RETURNING key`,

    renew: `INSERT INTO ${table} (key, attempt_id, done, expires_at)
SELECT ${renewal('t')}, attempt_id, false, ${fromNow('$3')} FROM ${table} t
WHERE key = $1 AND attempt_id = $2 AND NOT done AND ${until('t')} > statement_timestamp()
ON CONFLICT (key) DO UPDATE SET expires_at = excluded.expires_at RETURNING key`,

    complete: `INSERT INTO ${table} (key, attempt_id, done, expires_at)
VALUES ($1, $2, ${hurry} IS NOT NULL, ${fromNow('$3')})
ON CONFLICT (key) DO UPDATE SET done = true, expires_at = excluded.expires_at`,

    release: `DELETE FROM ${table} WHERE key = $1 AND attempt_id = $2 AND NOT done`,

    forget: `DELETE FROM ${table} WHERE key = $1 AND done AND expires_at > statement_timestamp() RETURNING 1`,

    /** Names the transaction in which the mark is to be written. */
    transaction: 'SELECT txid_current()::text AS transaction',

    /** Marks a key if this is still that transaction; outside of one, each statement is a transaction of its own. */
    commit: `WITH marked AS (
  UPDATE ${table} SET done = true, expires_at = ${fromNow('$3')}
  WHERE key = $1 AND attempt_id = $2 AND NOT done AND txid_current_if_assigned()::text = $4 RETURNING key)
SELECT EXISTS (SELECT FROM marked) AS marked, txid_current_if_assigned()::text IS NOT DISTINCT FROM $4 AS inside`,

    /**
     * Deletes a batch of expired rows, found through the index. It deletes them by key only: with the expiry as a
     * second condition, PostgreSQL would read every expired row for each batch.
     */
    sweep: `DELETE FROM ${table} WHERE key = ANY (ARRAY(
  SELECT key FROM ${table} t WHERE expires_at < statement_timestamp() AND (done OR ${until('t')} < statement_timestamp())
  ORDER BY expires_at LIMIT $1::int FOR UPDATE SKIP LOCKED))
RETURNING 1`,
  };
}
