import type { DatabaseSync } from 'node:sqlite';
import { assertKnownOptions } from '../domain/known-options.ts';
import type { Store } from '../domain/ports.ts';
import type { TableName } from '../domain/records.ts';
import { memoryStore } from './memory.ts';
import { type DataFileOptions, type Migration, openDataFile } from './sqlite-file.ts';
import { tableNames as names, rowsOf, watchedStore } from './watched-table.ts';

/** Creates the tables that a file of an earlier version does not have yet. */
const createTables: Migration = (db) => {
  for (const name of names) {
    db.exec(
      `CREATE TABLE IF NOT EXISTS "${name}" (id TEXT PRIMARY KEY, row TEXT NOT NULL) WITHOUT ROWID`,
    );
  }
};

/** One step for every version that added tables: the second one added the signing keys. */
const migrations: readonly Migration[] = [createTables, createTables];

/** A store in an SQLite file. */
export interface SqliteStore extends Store {
  /** Resolves once everything written so far is committed; undefined when it already is. */
  flushed(): Promise<void> | undefined;
  /** Commits what is not committed yet and closes the file. */
  close(): void;
}

/**
 * Keeps the working set in memory and every change in a file. All writes of one turn of the event loop share one
 * transaction; wait for `flushed` before acknowledging a change. If a commit fails, the next one includes its changes.
 *
 * @throws DataFileError when the file is foreign, newer, damaged or in use, or Node is older than 22.13.
 */
export function sqliteStore(path: string, options: DataFileOptions = {}): SqliteStore {
  assertKnownOptions('open the data file', options, { fsync: true });
  const db = openDataFile(path, migrations, options);
  const memory = memoryStore();
  load(db, memory);
  const changes = createChangeLog(db, memory);
  const commits = createCommitQueue(() => {
    if (!closed) changes.commit();
  });
  let closed = false;

  function beforeChange(): void {
    if (closed) throw new Error('Failed to write: the data file is closed.');
    changes.pending = true;
    void commits.next();
  }

  return {
    ...watchedStore(memory, {
      beforeChange,
      changed: (name, id) => changes.idsOf(name).add(id),
      replaced: () => changes.replaceAll(),
    }),
    flushed: () => (changes.pending ? commits.next() : undefined),
    readableUnsaved: true,
    close() {
      if (closed) return;
      closed = true;
      try {
        if (changes.pending) changes.commit();
      } finally {
        db.close();
      }
    },
  };
}

function load(db: DatabaseSync, memory: Store): void {
  for (const name of names) {
    const table = rowsOf(memory, name);
    for (const { row } of db.prepare(`SELECT row FROM "${name}" ORDER BY id`).iterate()) {
      table.put(JSON.parse(String(row)));
    }
  }
}

/** Which rows differ between memory and the file, and the commit that writes them. */
function createChangeLog(db: DatabaseSync, memory: Store) {
  const changed = names.map((name) => ({
    table: rowsOf(memory, name),
    ids: new Set<string>(),
    upsert: db.prepare(
      `INSERT INTO "${name}" (id, row) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET row = excluded.row`,
    ),
    remove: db.prepare(`DELETE FROM "${name}" WHERE id = ?`),
    removeUpTo: db.prepare(`DELETE FROM "${name}" WHERE id <= ?`),
    clear: db.prepare(`DELETE FROM "${name}"`),
  }));
  let replaced = false;

  function write(): void {
    for (const { table, ids, upsert, remove, removeUpTo, clear } of changed) {
      if (replaced) clear.run();
      const gone: string[] = [];
      for (const id of ids) {
        const row = table.get(id);
        if (row) upsert.run(id, JSON.stringify(row));
        else gone.push(id);
      }
      if (replaced || gone.length === 0) continue;
      // Logs drop their oldest lines together: one range instead of each.
      const last = gone.reduce((a, b) => (a > b ? a : b));
      const [first] = table.oldest({ limit: 1 });
      if (gone.length > 1 && !(first && first.id <= last)) removeUpTo.run(last);
      else for (const id of gone) remove.run(id);
    }
  }

  return {
    pending: false,
    idsOf: (name: TableName) => (changed[names.indexOf(name)] as (typeof changed)[number]).ids,
    /** Every row in the file is outdated. */
    replaceAll() {
      replaced = true;
      for (const { table, ids } of changed) {
        ids.clear();
        for (const { id } of table.oldest({ limit: Number.POSITIVE_INFINITY })) ids.add(id);
      }
    },
    commit() {
      db.exec('BEGIN');
      try {
        write();
        db.exec('COMMIT');
      } catch (error) {
        rollBack(db);
        throw error;
      }
      if (replaced) shrink(db);
      replaced = false;
      this.pending = false;
      for (const { ids } of changed) ids.clear();
    },
  };
}

/** Gives the space of deleted rows back. Not worth failing for: the file works as it is. */
function shrink(db: DatabaseSync): void {
  try {
    db.exec('VACUUM');
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // There is no room for the copy that it makes.
  }
}

function rollBack(db: DatabaseSync): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // SQLite has already ended the transaction, as it does when the disk is full.
  }
}

/** Calls `commit` at the end of the turn, once for everyone who asked during it. */
function createCommitQueue(commit: () => void) {
  let next: Promise<void> | undefined;

  function schedule(): Promise<void> {
    const result = new Promise<void>((resolve, reject) => {
      setImmediate(() => {
        next = undefined;
        try {
          commit();
          resolve();
        } catch (error) {
          reject(error);
        }
      });
    });
    // Reported to those who wait for it; there might be none.
    result.catch(() => {});
    return result;
  }

  return {
    next(): Promise<void> {
      next ??= schedule();
      return next;
    },
  };
}
