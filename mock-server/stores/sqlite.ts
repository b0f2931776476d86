import type { DatabaseSync } from 'node:sqlite';
import type { Store, StoreSnapshot, Table } from '../domain/ports.ts';
import { indexes, type TableName, type Tables } from '../domain/records.ts';
import { realTimers } from '../real-timers.ts';
import { memoryStore, type Row } from './memory.ts';
import { openDataFile, unsaved } from './sqlite-file.ts';
import { readRows } from './sqlite-rows.ts';

/** A store in an SQLite file. */
export interface SqliteStore extends Store {
  /** Resolves once everything written so far is committed; undefined when it already is. */
  flushed(): Promise<void> | undefined;
  /** Commits the remaining changes and closes the file. */
  close(): void;
}

const names = Object.keys(indexes) as TableName[];

/**
 * Keeps the working set in memory and every change in a file. All writes of one turn of the event loop share one
 * transaction; wait for `flushed` before acknowledging a change. If a commit fails, the next one includes its changes.
 *
 * @param warn Called with a sentence if others might be able to read the file. `console.warn` by default.
 * @throws DataFileError when the file is foreign, newer, damaged or in use, or Node is older than 22.13.
 */
export function sqliteStore(path: string, warn?: (sentence: string) => void): SqliteStore {
  const db = openDataFile(path, warn);
  const memory = memoryStore();
  for (const { kind, row } of readRows(db)) tableOf(memory, kind as TableName).put(row as Row);
  const file = createFileWriter(db, memory, path);
  let closed = false;
  let pending = false;
  let commit: Promise<void> | undefined;

  /** Commits at the end of the turn, once for everyone who asks during it. */
  function nextCommit(): Promise<void> {
    commit ??= new Promise<void>((resolve) => realTimers.endTurn(resolve)).then(() => {
      commit = undefined;
      if (closed && pending) throw closedError();
      save();
    });
    return commit;
  }

  function save(): void {
    if (closed) return;
    // Until it succeeds: a failure is reported to the next caller that waits, even if nobody waits for this commit.
    pending = true;
    file.write();
    pending = false;
  }

  function changed(): void {
    if (pending) return;
    pending = true;
    // Callers that wait for it get the error. Without them it would be an unhandled rejection.
    nextCommit().catch(() => {});
  }

  function watch(name: TableName): Table<Row> {
    const table = tableOf(memory, name);
    const change = (id: string) => {
      if (closed) throw closedError();
      file.changed(name, id);
      changed();
    };
    return {
      ...table,
      put(row) {
        change(row.id);
        table.put(row);
      },
      delete(id) {
        if (!table.get(id)) return false;
        change(id);
        return table.delete(id);
      },
    };
  }

  const tables = new Map(names.map((name) => [name, watch(name)]));
  return {
    ...memory,
    table: <T extends TableName>(name: T) => tables.get(name) as unknown as Table<Tables[T]>,
    restore(snapshot: StoreSnapshot) {
      if (closed) throw closedError();
      memory.restore(snapshot);
      file.replaced();
      changed();
    },
    flushed: () => (pending ? nextCommit() : undefined),
    close() {
      if (closed) return;
      try {
        save();
      } finally {
        closed = true;
        db.close();
      }
    },
  };
}

const closedError = () => new Error('Failed to write: the data file is closed.');

const tableOf = (store: Store, name: TableName) => store.table(name) as unknown as Table<Row>;

/** Knows which rows differ between memory and the file, and writes them. */
function createFileWriter(db: DatabaseSync, memory: Store, path: string) {
  const upsert = db.prepare(
    'INSERT INTO rows (kind, id, row) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET row = excluded.row',
  );
  const remove = db.prepare('DELETE FROM rows WHERE kind = ? AND id = ?');
  let changes = new Map<TableName, Set<string>>();
  let isReplaced = false;

  function changed(name: TableName, id: string): void {
    const ids = changes.get(name);
    if (ids) ids.add(id);
    else changes.set(name, new Set([id]));
  }

  return {
    changed,
    /** Every row in the file is outdated. */
    replaced() {
      isReplaced = true;
      changes = new Map();
      for (const name of names) {
        const rows = tableOf(memory, name).oldest();
        for (const { id } of rows) changed(name, id);
      }
    },
    write() {
      try {
        db.exec('BEGIN');
        if (isReplaced) db.exec('DELETE FROM rows');
        for (const [name, ids] of changes) {
          const table = tableOf(memory, name);
          for (const id of ids) {
            const row = table.get(id);
            if (row) upsert.run(name, id, JSON.stringify(row));
            else remove.run(name, id);
          }
        }
        db.exec('COMMIT');
      } catch (error) {
        // SQLite has already ended the transaction when the disk is full.
        attempt(() => db.exec('ROLLBACK'));
        throw unsaved(path, error);
      }
      changes = new Map();
      // The file works without it, and the disk may have no room for the copy that it makes.
      if (isReplaced) attempt(() => db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)'));
      isReplaced = false;
    },
  };
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // It does not matter.
  }
}
