import { misconfigured } from '../../signing/errors.ts';
import type { SqlQuery } from './lease-times.ts';

export const defaultTable = 'contentgen_webhook_deliveries';

/** @throws WebhookConfigurationError unless it is `table` or `schema.table` in letters, digits and underscores. */
export function quoteTable(table: string): string {
  if (!/^(?:[A-Za-z_]\w{0,62}\.)?[A-Za-z_]\w{0,50}$/.test(table))
    misconfigured(
      'table is not a valid table name',
      'Pass table or schema.table, in letters, digits and underscores.',
    );
  return table
    .split('.')
    .map((part) => `"${part}"`)
    .join('.');
}

/** The quoted name of the table's index. PostgreSQL creates an index in the schema of its table. */
export function quoteIndex(table: string): string {
  return quoteTable(table).replace(/"$/, '_expires"');
}

/**
 * The statements that create the table, for a migration. Each one does nothing if its object already exists.
 *
 * @example
 * for (const statement of postgresDdl()) await pool.query(statement);
 */
export function postgresDdl(table: string = defaultTable): string[] {
  const name = quoteTable(table);
  const index = quoteIndex(table).split('.').at(-1);
  return [
    `CREATE TABLE IF NOT EXISTS ${name} (
  key text PRIMARY KEY,
  attempt_id text NOT NULL,
  done boolean NOT NULL,
  expires_at timestamptz NOT NULL
)`,
    `CREATE INDEX IF NOT EXISTS ${index} ON ${name} (expires_at)`,
  ];
}

export type Row = Readonly<Record<string, unknown>>;

/** Some clients return only the rows. */
export async function rowsOf(
  query: SqlQuery,
  text: string,
  params: (string | number)[],
): Promise<readonly Row[]> {
  const result: { rows: readonly unknown[] } | readonly unknown[] = await query(text, params);
  return ('rows' in result ? result.rows : result) as readonly Row[];
}

/** The columns of a row. Without them, nothing could be decided. @throws Error when the client has renamed them. */
export function readRow<Name extends string>(
  row: Row,
  ...names: readonly Name[]
): Readonly<Record<Name, unknown>> {
  if (names.every((name) => name in row)) return row as Record<Name, unknown>;
  const got = Object.keys(row).slice(0, 8).join(' and ') || 'no columns';
  throw new Error(
    `Failed to read a row of the dedupe store: the query function returned a row with ${got}, not ${names.join(' and ')}. Let the client leave the names of columns as they are.`,
  );
}
