export interface Page<Row> {
  readonly data: readonly Row[];
  readonly nextCursor: string | null;
}

/**
 * Merges a fresh first page (newest first) into the loaded rows. If the two do not overlap, rows between them are
 * missing, and only the fresh page is kept.
 */
export function mergeNewest<Row>(
  held: Page<Row>,
  fresh: Page<Row>,
  key: (row: Row) => string,
): Page<Row> {
  const last = fresh.data.at(-1);
  if (last === undefined || fresh.nextCursor === null) return fresh;
  const lastKey = key(last);
  const meeting = held.data.findIndex((row) => key(row) === lastKey);
  if (meeting < 0) return fresh;
  const older = held.data.slice(meeting + 1);
  return {
    data: [...fresh.data, ...older],
    nextCursor: older.length ? held.nextCursor : fresh.nextCursor,
  };
}
