import type { DatabaseSync } from 'node:sqlite';
import type { Table } from '../domain/ports.ts';
import type { TableName } from '../domain/records.ts';
import type { Row } from './memory.ts';

/** A table of the domain in the data file, with the changes that the file lacks. */
export interface FileTable {
  /**
   * Call it before a row is added, replaced or deleted. Returns `false` if the next commit writes the row anyway; a log
   * does not know, and returns `true`.
   */
  changed(id: string): boolean;
  /** Marks every row in the file as outdated. */
  replaceAll(): void;
  /** Writes the changes. The caller has opened a transaction. */
  write(): void;
  /** Call it after the transaction is committed. */
  committed(): void;
}

const every = { limit: Number.POSITIVE_INFINITY };

/** One row of the file for each row of the table. */
export function rowTable(db: DatabaseSync, name: TableName, table: Table<Row>): FileTable {
  const upsert = db.prepare(
    `INSERT INTO "${name}" (id, row) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET row = excluded.row`,
  );
  const remove = db.prepare(`DELETE FROM "${name}" WHERE id = ?`);
  const removeUpTo = db.prepare(`DELETE FROM "${name}" WHERE id <= ?`);
  const clear = db.prepare(`DELETE FROM "${name}"`);
  const ids = new Set<string>();
  let replaced = false;

  return {
    changed(id) {
      if (ids.has(id)) return false;
      ids.add(id);
      return true;
    },
    replaceAll() {
      replaced = true;
      ids.clear();
      for (const { id } of table.oldest(every)) ids.add(id);
    },
    write() {
      if (replaced) clear.run();
      const gone: string[] = [];
      for (const id of ids) {
        const row = table.get(id);
        if (row) upsert.run(id, JSON.stringify(row));
        else gone.push(id);
      }
      if (replaced || gone.length === 0) return;
      // The oldest rows are dropped together, so one range is deleted instead of each row.
      const last = newestOf(gone);
      if (gone.length > 1 && !startsUpTo(table, last)) removeUpTo.run(last);
      else for (const id of gone) remove.run(id);
    },
    committed() {
      replaced = false;
      ids.clear();
    },
  };
}

/** When the lines in a row are longer than this in total, the next line starts a new row. */
const ROW_LENGTH = 16_384;

/**
 * Keeps many lines of a log in each row of the file, under the id of the last line, because writing a row costs several
 * times as much as a line. Lines are added at the end and dropped from the start; after any other change, the whole log
 * is rewritten.
 */
export function logTable(db: DatabaseSync, name: TableName, table: Table<Row>): FileTable {
  const put = db.prepare(`INSERT OR REPLACE INTO "${name}" (id, row) VALUES (?, ?)`);
  const removeUpTo = db.prepare(`DELETE FROM "${name}" WHERE id <= ?`);
  const first = db.prepare(`SELECT id, row FROM "${name}" ORDER BY id LIMIT 1`);
  const clear = db.prepare(`DELETE FROM "${name}"`);
  /** Ids of lines in the file that have changed or been deleted. */
  const outdated = new Set<string>();
  let replaced = false;
  /** The newest line in the file. */
  let saved = table.newest({ limit: 1 })[0]?.id ?? '';
  let written = saved;

  function add(lines: readonly Row[]): void {
    let texts: string[] = [];
    let length = 0;
    for (const [index, line] of lines.entries()) {
      const text = JSON.stringify(line);
      texts.push(text);
      length += text.length;
      if (length < ROW_LENGTH && index < lines.length - 1) continue;
      put.run(line.id, `[${texts.join(',')}]`);
      texts = [];
      length = 0;
    }
  }

  /** The row at the new start of the log might also hold dropped lines. */
  function dropUpTo(last: string): void {
    removeUpTo.run(last);
    const row = first.get();
    if (!row) return;
    const lines = linesOf(row['row']);
    const kept = lines.filter(({ id }) => id > last);
    if (kept.length < lines.length) put.run(row['id'] as string, JSON.stringify(kept));
  }

  return {
    changed(id) {
      if (id <= saved) outdated.add(id);
      return true;
    },
    replaceAll() {
      replaced = true;
    },
    write() {
      const last = newestOf(outdated);
      const all = replaced || startsUpTo(table, last);
      if (all) clear.run();
      else if (last !== '') dropUpTo(last);
      const lines = table.oldest(all || saved === '' ? every : { ...every, after: saved });
      add(lines);
      written = lines.at(-1)?.id ?? (all ? '' : saved);
    },
    committed() {
      saved = written;
      replaced = false;
      outdated.clear();
    },
  };
}

/** Returns the lines in a row of a log. */
export const linesOf = (row: unknown): Row[] => JSON.parse(String(row));

const newestOf = (ids: Iterable<string>): string => {
  let newest = '';
  for (const id of ids) if (id > newest) newest = id;
  return newest;
};

/** Whether the table still has a row with that id or an older one. */
function startsUpTo(table: Table<Row>, last: string): boolean {
  const [oldest] = table.oldest({ limit: 1 });
  return oldest !== undefined && oldest.id <= last;
}
