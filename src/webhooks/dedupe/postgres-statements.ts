/** The statements of a dedupe table, by its quoted name. `statement_timestamp()` is stable, so indexes can use it. */
export function statements(table: string) {
  const fromNow = (ms: string) => `statement_timestamp() + ${ms}::float8 * interval '1 ms'`;
  return {
    /** Claims a key that is new, or reads it without waiting for a transaction that has changed it. */
    claim: `WITH held AS MATERIALIZED (
  SELECT done, extract(epoch FROM expires_at - statement_timestamp()) * 1000 AS left_ms FROM ${table} WHERE key = $1),
fresh AS (
  INSERT INTO ${table} (key, attempt_id, done, expires_at)
  SELECT $1, $2, false, ${fromNow('$3')} WHERE NOT EXISTS (SELECT FROM held)
  ON CONFLICT (key) DO NOTHING RETURNING key)
SELECT NULL::boolean AS done, NULL::float8 AS left_ms FROM fresh
UNION ALL SELECT done, left_ms::float8 FROM held`,

    /** Claims a key that has expired, unless another transaction holds it. */
    takeOver: `UPDATE ${table} SET attempt_id = $2, done = false, expires_at = ${fromNow('$3')}
WHERE key = (SELECT key FROM ${table} WHERE key = $1 AND expires_at <= statement_timestamp() FOR UPDATE SKIP LOCKED)
RETURNING key`,

    renew: `UPDATE ${table} SET expires_at = ${fromNow('$3')}
WHERE key = $1 AND attempt_id = $2 AND NOT done RETURNING key`,

    /** Marks a key unless another transaction holds it, and returns it if it was marked. */
    complete: `WITH seen AS MATERIALIZED (SELECT FROM ${table} WHERE key = $1),
marked AS (
  UPDATE ${table} SET done = true, expires_at = ${fromNow('$3')}
  WHERE key = (SELECT key FROM ${table} WHERE key = $1 FOR UPDATE SKIP LOCKED) RETURNING key),
added AS (
  INSERT INTO ${table} (key, attempt_id, done, expires_at)
  SELECT $1, $2, true, ${fromNow('$3')} WHERE NOT EXISTS (SELECT FROM seen)
  ON CONFLICT (key) DO NOTHING RETURNING key)
SELECT key FROM marked UNION ALL SELECT key FROM added`,

    release: `DELETE FROM ${table} WHERE key = $1 AND attempt_id = $2 AND NOT done`,

    forget: `DELETE FROM ${table} WHERE key = $1 AND done AND expires_at > statement_timestamp() RETURNING 1`,

    commit: `UPDATE ${table} SET done = true, expires_at = ${fromNow('$3')}
WHERE key = $1 AND attempt_id = $2 AND NOT done RETURNING key`,

    /**
     * Deletes a batch of expired rows, found through the index. It deletes them by key only: with the expiry as a
     * second condition, PostgreSQL would read every expired row for each batch.
     */
    sweep: `DELETE FROM ${table} WHERE key = ANY (ARRAY(
  SELECT key FROM ${table} WHERE expires_at < statement_timestamp() ORDER BY expires_at LIMIT $1::int FOR UPDATE SKIP LOCKED))
RETURNING 1`,
  };
}
