import type { TableName } from '../../domain/records.ts';
import type { Row } from '../memory.ts';
import type { Schema } from './schema.ts';
import type { Query, Session } from './session.ts';

/** Rows to write and to delete, in one transaction. */
export interface RowChanges {
  /** Deletes every row first. */
  readonly replaced: boolean;
  readonly written: readonly { readonly kind: TableName; readonly row: Row }[];
  readonly deleted: readonly { readonly kind: TableName; readonly id: string }[];
}

/** Rows that one statement reads or writes: short enough to let a heartbeat through. */
const PAGE = 2000;

/** Plans that look every row up by its key, however few rows the table had when they were made. */
export const SESSION_SETTINGS = `
  SET enable_seqscan = off;
  SET enable_hashjoin = off;
  SET enable_mergejoin = off;
  SET plan_cache_mode = force_generic_plan;
  SET statement_timeout = 0;
  SET idle_in_transaction_session_timeout = 0`;

interface Page {
  readonly kind: TableName;
  /** The greatest id. */
  readonly last: string;
  /** A JSON array. */
  readonly rows: string;
}

/** Reads all rows, page by page. While one page is parsed, the database prepares the next. */
export async function readRows(
  session: Session,
  schema: Schema,
  onRows: (kind: TableName, rows: Row[]) => void,
): Promise<void> {
  // One JSON array per page parses several times faster than thousands of values.
  const page = {
    name: 'contentgen-read',
    text: `SELECT kind, max(id) AS last, '[' || string_agg(row, ',' ORDER BY id) || ']' AS rows
      FROM (SELECT kind, id, row FROM ${schema.rows} WHERE (kind, id) > ($1, $2) ORDER BY kind, id LIMIT ${PAGE}) AS page
      GROUP BY kind ORDER BY kind`,
  };
  const read = (kind: string, last: string) => session.query<Page>(page, [kind, last]);
  let groups = await read('', '');
  for (;;) {
    const last = groups.at(-1);
    if (!last) return;
    const next = read(last.kind, last.last);
    // Awaited below, unless a row cannot be parsed.
    next.catch(() => {});
    for (const { kind, rows } of groups) onRows(kind, JSON.parse(rows) as Row[]);
    groups = await next;
  }
}

/** Makes the function that writes changes in one transaction. Few changes take a single statement. */
export function rowWriter(
  session: Session,
  { rows }: Schema,
): (changes: RowChanges) => Promise<void> {
  const names = 'json_array_elements_text';
  const insert = `INSERT INTO ${rows} (kind, id, row)
    SELECT kind, id, row
    FROM ROWS FROM (${names}($1::json), ${names}($2::json), unnest(string_to_array($3, E'\\n'))) AS added (kind, id, row)
    ON CONFLICT (kind, id) DO UPDATE SET row = excluded.row`;
  const remove = (first: number) => `DELETE FROM ${rows} AS old
    USING ROWS FROM (${names}($${first}::json), ${names}($${first + 1}::json)) AS gone (kind, id)
    WHERE old.kind = gone.kind AND old.id = gone.id`;
  const write = { name: 'contentgen-write', text: insert };
  const change = {
    name: 'contentgen-change',
    text: `WITH removed AS (${remove(4)}) ${insert}`,
  };

  async function writePage(query: Query, { written, deleted }: RowChanges): Promise<void> {
    const values = [
      JSON.stringify(written.map(({ kind }) => kind)),
      JSON.stringify(written.map(({ row }) => row.id)),
      // JSON.stringify escapes line breaks, so one can separate the rows.
      written.map(({ row }) => JSON.stringify(row)).join('\n'),
    ];
    if (deleted.length === 0) {
      await query(write, values);
      return;
    }
    await query(change, [
      ...values,
      JSON.stringify(deleted.map(({ kind }) => kind)),
      JSON.stringify(deleted.map(({ id }) => id)),
    ]);
  }

  return (changes) =>
    session.exclusive(async (query) => {
      const { replaced, written, deleted } = changes;
      if (!replaced && written.length + deleted.length <= PAGE) return writePage(query, changes);
      await query('BEGIN');
      try {
        if (replaced) await query(`DELETE FROM ${rows}`);
        for (let at = 0; at < Math.max(written.length, deleted.length); at += PAGE) {
          await writePage(query, {
            replaced: false,
            written: written.slice(at, at + PAGE),
            deleted: deleted.slice(at, at + PAGE),
          });
        }
        await query('COMMIT');
      } catch (error) {
        await query('ROLLBACK');
        throw error;
      }
    });
}
