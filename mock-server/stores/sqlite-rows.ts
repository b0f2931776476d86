import type { DatabaseSync } from 'node:sqlite';
import { createRowCheck } from '../control/snapshot/check-rows.ts';

/** One table, with a row of JSON for each row of the server. Without row ids, a row that grows is more expensive. */
export const CREATE_TABLE =
  'CREATE TABLE rows (kind TEXT NOT NULL, id TEXT NOT NULL, row TEXT NOT NULL, PRIMARY KEY (kind, id))';

/** What SQLite adds by itself, the index of the primary key and its statistics, starts with `sqlite_`. */
const FOREIGN_PARTS = `
  SELECT count(*) AS parts, max(sql) AS sql FROM sqlite_schema
  WHERE type IN ('trigger', 'view') OR name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;

/** Bytes in place of text, a zero in an id, JSON that is too deep to be written again. */
const FOREIGN_ROWS = `
  SELECT 1 FROM rows
  WHERE typeof(kind) <> 'text' OR typeof(id) <> 'text' OR typeof(row) <> 'text'
    OR NOT json_valid(row) OR json_extract(row, '$.id') IS NOT id
    OR rowid NOT BETWEEN 1 AND ${Number.MAX_SAFE_INTEGER}
  LIMIT 1`;

interface StoredRow {
  readonly kind: string;
  readonly id: string;
  readonly row: unknown;
}

/** Reads in pages: Node 22 can collect, and so end, a statement while `iterate` still returns its rows. */
export function* readRows(db: DatabaseSync): Iterable<StoredRow> {
  const page = db.prepare(
    'SELECT rowid, kind, id, row FROM rows WHERE rowid > ? ORDER BY rowid LIMIT 1000',
  );
  for (let found = page.all(0); found.length > 0; ) {
    for (const { kind, id, row } of found) {
      yield { kind: String(kind), id: String(id), row: JSON.parse(String(row)) };
    }
    found = page.all(Number(found.at(-1)?.['rowid']));
  }
}

/** Says why a server could not use the rows of a file of ours, or undefined. */
export function findDamage(db: DatabaseSync): string | undefined {
  // First: views, triggers and indexes run what the author of the file wrote.
  const { parts, sql } = db.prepare(FOREIGN_PARTS).get() ?? {};
  if (parts !== 1 || sql !== CREATE_TABLE) return 'it has other tables than a data file';
  const verdict = db.prepare('PRAGMA integrity_check(1)').get();
  if (verdict?.['integrity_check'] !== 'ok') return 'parts of it cannot be read';
  if (db.prepare(FOREIGN_ROWS).get()) return 'it has a row that no server has written';
  return findRowDamage(db);
}

function findRowDamage(db: DatabaseSync): string | undefined {
  const ids = db.prepare('SELECT id FROM rows WHERE kind = ?');
  const idsOf = (kind: string) => new Set(ids.all(kind).map(({ id }) => id));
  const check = createRowCheck(idsOf('organizations'), idsOf('projects'));
  for (const { kind, id, row } of readRows(db)) {
    const mistake = Object(row).id === id ? check(kind, row) : 'id must be that of its row.';
    if (mistake) return `${kind.slice(0, 64)} ${id.slice(0, 64)}: ${mistake.replace(/\.$/, '')}`;
  }
  return undefined;
}
