/** The statements of a dedupe table, by its quoted name. `statement_timestamp()` is stable, so indexes can use it. */
export function statements(table: string) {
  const fromNow = (ms: string) => `statement_timestamp() + ${ms}::float8 * interval '1 ms'`;
  // Not a join: the planner would scan a table of some thousand rows.
  const among = (rows: string) => `key = ANY (ARRAY(SELECT key FROM ${rows}))`;
  // As text, because some clients encode a parameter of type json a second time.
  const wanted = `wanted AS MATERIALIZED (
  SELECT key, attempt FROM json_to_recordset($1::text::json) AS w (key text, attempt text))`;
  return {
    /** Claims every key that is new. Reads the others without waiting for transactions that have changed them. */
    claim: `WITH ${wanted},
held AS MATERIALIZED (
  SELECT key, done, extract(epoch FROM expires_at - statement_timestamp()) * 1000 AS left_ms
  FROM ${table} WHERE ${among('wanted')}),
fresh AS (
  INSERT INTO ${table} AS t (key, attempt_id, done, expires_at)
  SELECT key, attempt, false, ${fromNow('$2')} FROM wanted
  WHERE NOT EXISTS (SELECT FROM held WHERE held.key = wanted.key)
  -- In order: two processes that claim the same keys must not wait for each other.
  ORDER BY key ON CONFLICT (key) DO NOTHING RETURNING t.key, t.attempt_id)
SELECT key, attempt_id, NULL::boolean AS done, NULL::float8 AS left_ms FROM fresh
UNION ALL SELECT key, NULL, done, left_ms::float8 FROM held`,

    /** Claims a key that has expired, unless another transaction holds it. */
    takeOver: `UPDATE ${table} SET attempt_id = $2, done = false, expires_at = ${fromNow('$3')}
WHERE key = (SELECT key FROM ${table} WHERE key = $1 AND expires_at <= statement_timestamp() FOR UPDATE SKIP LOCKED)
RETURNING key`,

    renew: `UPDATE ${table} SET expires_at = ${fromNow('$3')}
WHERE key = $1 AND attempt_id = $2 AND NOT done RETURNING key`,

    /** Marks every key that no other transaction holds, and returns the marked ones. */
    complete: `WITH ${wanted},
known AS MATERIALIZED (
  SELECT key FROM ${table} WHERE ${among('wanted')} ORDER BY key FOR UPDATE SKIP LOCKED),
seen AS MATERIALIZED (SELECT key FROM ${table} WHERE ${among('wanted')}),
marked AS (
  UPDATE ${table} t SET done = true, expires_at = ${fromNow('$2')} WHERE ${among('known')} RETURNING t.key),
added AS (
  INSERT INTO ${table} AS t (key, attempt_id, done, expires_at)
  SELECT key, attempt, true, ${fromNow('$2')} FROM wanted
  WHERE NOT EXISTS (SELECT FROM seen WHERE seen.key = wanted.key)
  ORDER BY key ON CONFLICT (key) DO NOTHING RETURNING t.key)
SELECT key FROM marked UNION ALL SELECT key FROM added`,

    release: `DELETE FROM ${table} WHERE key = $1 AND attempt_id = $2 AND NOT done`,

    forget: `DELETE FROM ${table} WHERE key = $1 AND done AND expires_at > statement_timestamp() RETURNING 1`,

    commit: `UPDATE ${table} SET done = true, expires_at = ${fromNow('$3')}
WHERE key = $1 AND attempt_id = $2 AND NOT done RETURNING key`,

    readTime: `SELECT attempt_id FROM ${table} WHERE key = $1 AND expires_at > statement_timestamp()`,

    /** Keeps a time in the column of the attempt. */
    raiseTime: `INSERT INTO ${table} AS t (key, attempt_id, done, expires_at) VALUES ($1, $2, true, ${fromNow('$3')})
ON CONFLICT (key) DO UPDATE SET expires_at = excluded.expires_at, attempt_id =
  CASE WHEN t.expires_at > statement_timestamp() AND t.attempt_id::float8 > excluded.attempt_id::float8
  THEN t.attempt_id ELSE excluded.attempt_id END`,

    /**
     * Deletes a batch of expired rows, found through the index. It deletes them by key only: with the expiry as a
     * second condition, PostgreSQL would read every expired row for each batch.
     */
    sweep: `DELETE FROM ${table} WHERE key = ANY (ARRAY(
  SELECT key FROM ${table} WHERE expires_at < statement_timestamp() ORDER BY expires_at LIMIT $1::int FOR UPDATE SKIP LOCKED))
RETURNING 1`,
  };
}
