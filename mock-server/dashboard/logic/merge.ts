export interface Page<Row> {
  readonly data: readonly Row[];
  /** The number of matching rows on all pages. */
  readonly total: number;
  /** Whether there are no older rows. */
  readonly complete: boolean;
}

/**
 * Merges a fresh first page (newest first) into the loaded rows; keys sort by age. Returns undefined if there might be
 * unloaded rows between the two.
 */
export function mergeNewest<Row>(
  held: Page<Row>,
  fresh: Page<Row>,
  key: (row: Row) => string,
): Page<Row> | undefined {
  const last = fresh.data.at(-1);
  if (last === undefined || fresh.complete || held.data.length === 0) return fresh;
  const older = held.data.filter((row) => key(row) < key(last));
  if (older.length === held.data.length) return undefined;
  const complete = older.length > 0 && held.complete;
  return { data: [...fresh.data, ...older], total: fresh.total, complete };
}

/** Replaces the changed rows by what a second read found, and drops those that no longer match. */
export function replaceRows<Row>(
  held: Page<Row>,
  changed: ReadonlySet<string>,
  found: readonly Row[],
  key: (row: Row) => string,
): Page<Row> {
  const now = new Map(found.map((row) => [key(row), row]));
  const data = held.data.flatMap((row) =>
    changed.has(key(row)) ? (now.get(key(row)) ?? []) : row,
  );
  return { ...held, data };
}
