import type { SqlQuery } from './dedupe.ts';

/** A row of a result. */
export type Row = Readonly<Record<string, unknown>>;

/** Runs a query and returns its rows; some clients return the rows themselves. */
export async function rowsOf(
  query: SqlQuery,
  text: string,
  params: (string | number)[],
): Promise<readonly Row[]> {
  const result: { rows: readonly unknown[] } | readonly unknown[] = await query(text, params);
  return ('rows' in result ? result.rows : result) as readonly Row[];
}
