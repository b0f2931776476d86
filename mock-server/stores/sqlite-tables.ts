import type { DatabaseSync } from 'node:sqlite';
import type { Table } from '../domain/ports.ts';
import type { TableName } from '../domain/records.ts';
import { createLogPacks, newestOf, type PackChanges } from './log-packs.ts';
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
  let ids = new Set<string>();
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
      // Not cleared, because V8 resizes a set that has lived long outside the young generation, which costs more.
      ids = new Set();
    },
  };
}

/** A log, packed: fewer rows than lines. */
export function logTable(db: DatabaseSync, name: TableName, table: Table<Row>): FileTable {
  const put = db.prepare(`INSERT OR REPLACE INTO "${name}" (id, row) VALUES (?, ?)`);
  const remove = db.prepare(`DELETE FROM "${name}" WHERE id = ?`);
  const clear = db.prepare(`DELETE FROM "${name}"`);
  const stored = db.prepare(`SELECT id FROM "${name}" ORDER BY id`).all();
  const packs = createLogPacks(
    table,
    stored.map(({ id }) => String(id)),
  );
  /** The newest changed line among those in packs: packs need no other. */
  let newestChanged = '';
  let replaced = false;
  let taken: PackChanges | undefined;

  return {
    changed(id) {
      if (id > newestChanged && id <= packs.lastStored()) newestChanged = id;
      return true;
    },
    replaceAll() {
      replaced = true;
    },
    write() {
      if (replaced) clear.run();
      taken = packs.take([newestChanged], replaced);
      for (const id of taken.deleted) remove.run(id);
      for (const { id, text } of taken.written) put.run(id, text);
    },
    committed() {
      taken?.committed();
      replaced = false;
      newestChanged = '';
    },
  };
}

/** Returns the lines in a row of a log. */
export const linesOf = (row: unknown): Row[] => JSON.parse(String(row));

/** Whether the table still has a row with that id or an older one. */
function startsUpTo(table: Table<Row>, last: string): boolean {
  const [oldest] = table.oldest({ limit: 1 });
  return oldest !== undefined && oldest.id <= last;
}
