import { checkedLater, type OptionRules } from '../../options/rules.ts';
import { assertOptions } from '../../signing/errors.ts';
import type { SqlQuery } from './lease-times.ts';
import { statements } from './postgres-statements.ts';
import { defaultTable, quoteTable, rowsOf } from './postgres-table.ts';

/** Options of {@link postgresPurge}. */
export interface PostgresPurgeOptions {
  /** The table of `postgresDedupe`. @default 'contentgen_webhook_deliveries' */
  readonly table?: string;
}

const rules: OptionRules<PostgresPurgeOptions> = { table: checkedLater };
const batchSize = 1000;

/**
 * Deletes every expired row, in batches, for a cron job. Resolves to how many. `postgresDedupe` deletes some of them as
 * it works; a large table with little traffic needs this too.
 *
 * @throws WebhookConfigurationError when an option is invalid.
 * @example
 * await postgresPurge((text, params) => pool.query(text, params));
 */
export async function postgresPurge(
  query: SqlQuery,
  options: PostgresPurgeOptions = {},
): Promise<number> {
  assertOptions(options, rules);
  const { table = defaultTable } = options;
  const { sweep } = statements(quoteTable(table));
  let deleted = 0;
  for (;;) {
    const { length } = await rowsOf(query, sweep, [batchSize]);
    deleted += length;
    if (length < batchSize) return deleted;
  }
}
