import type { TableName } from '../../domain/records.ts';
import type { Row } from '../memory.ts';
import type { Schema } from './schema.ts';
import type { Query, Session } from './session.ts';

/** Rows to write and to delete, in one transaction. */
export interface RowChanges {
  /** Deletes every row first. */
  readonly replaced: boolean;
  /** `text` is the row as JSON, or a pack of log lines. */
  readonly written: readonly {
    readonly kind: TableName;
    readonly id: string;
    readonly text: string;
  }[];
  readonly deleted: readonly { readonly kind: TableName; readonly id: string }[];
}

/** How many rows and characters one statement reads or writes at most: few enough that heartbeats are not delayed. */
const PAGE = 2000;
const PAGE_LENGTH = 4_000_000;

/**
 * Forces plans that look rows up by key, however few rows the table has when a plan is made. The other settings make
 * plans look expensive, so with `jit` on, PostgreSQL would compile them, which takes hundreds of milliseconds each time.
 */
export const SESSION_SETTINGS = `
  SET jit = off;
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

/** A row, or a pack of log lines. */
export type StoredRow = Row | readonly Row[];

/** The setting that holds the mark of a session. */
export const SESSION_MARK = 'contentgen.session';

/** Reads all rows, page by page. While one page is parsed, the database prepares the next. */
export async function readRows(
  session: Session,
  schema: Schema,
  onRows: (kind: TableName, rows: readonly StoredRow[]) => void,
): Promise<void> {
  // One JSON array per page parses several times faster than thousands of values.
  const page = {
    name: 'contentgen-read',
    text: `SELECT kind, max(id) AS last, '[' || string_agg(row, ',' ORDER BY id) || ']' AS rows
      FROM (
        SELECT kind, id, row, sum(octet_length(row)) OVER (ORDER BY kind, id) - octet_length(row) AS bytes_before
        FROM (SELECT kind, id, row FROM ${schema.rows} WHERE (kind, id) > ($1, $2) ORDER BY kind, id LIMIT ${PAGE}) AS next
      ) AS page
      WHERE bytes_before < ${PAGE_LENGTH}
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
    for (const { kind, rows } of groups) onRows(kind, JSON.parse(rows) as StoredRow[]);
    groups = await next;
  }
}

/** Creates the function that writes changes in one transaction. A few changes take a single statement. */
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

  async function writePage(query: Query, { written, deleted }: WritePage): Promise<void> {
    const values = [
      JSON.stringify(written.map(({ kind }) => kind)),
      JSON.stringify(written.map(({ id }) => id)),
      // JSON.stringify escapes line breaks, so one can separate the rows.
      written.map(({ text }) => text).join('\n'),
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
      const pages = pagesOf(changes);
      const [only] = pages;
      if (!changes.replaced && pages.length === 1 && only) return writePage(query, only);
      await query('BEGIN');
      try {
        // Unlike DELETE, this takes the same time no matter how many rows there are.
        if (changes.replaced) await query(`TRUNCATE ${rows}`);
        for (const page of pages) await writePage(query, page);
        await query('COMMIT');
      } catch (error) {
        await query('ROLLBACK');
        throw error;
      }
    });
}

type WritePage = Pick<RowChanges, 'written' | 'deleted'>;

/** Splits changes into parts that one statement can write quickly. There is always at least one part. */
function pagesOf({ written, deleted }: RowChanges): WritePage[] {
  const pages: WritePage[] = [];
  for (let [from, gone] = [0, 0]; ; gone += PAGE) {
    let [to, length] = [from, 0];
    while (to < written.length && to - from < PAGE && length < PAGE_LENGTH) {
      length += (written[to]?.text ?? '').length;
      to += 1;
    }
    pages.push({ written: written.slice(from, to), deleted: deleted.slice(gone, gone + PAGE) });
    from = to;
    if (from >= written.length && gone + PAGE >= deleted.length) return pages;
  }
}
