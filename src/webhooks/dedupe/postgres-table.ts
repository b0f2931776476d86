import { misconfigured } from '../../signing/errors.ts';

/** The table that is used unless another is named. */
export const defaultTable = 'contentgen_webhook_deliveries';

/**
 * A table name, quoted part by part.
 *
 * @throws WebhookConfigurationError unless it is `table` or `schema.table` of letters, digits and underscores.
 */
export function quoteTable(table: string): string {
  if (!/^(?:[A-Za-z_]\w{0,62}\.)?[A-Za-z_]\w{0,50}$/.test(table))
    misconfigured('table must be table or schema.table, of letters, digits and underscores');
  return table
    .split('.')
    .map((part) => `"${part}"`)
    .join('.');
}

/** The name of its index, which PostgreSQL puts into the table's schema; quoted, with the schema if one is named. */
export function quoteIndex(table: string): string {
  return quoteTable(table).replace(/"$/, '_expires"');
}

/** The statements that make the table, each one harmless where it exists: run them in a migration. */
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
