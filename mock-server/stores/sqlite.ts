import type { DatabaseSync } from 'node:sqlite';
import { assertKnownOptions } from '../domain/known-options.ts';
import { isLog, isLogCounter } from '../domain/logs.ts';
import type { Store } from '../domain/ports.ts';
import type { TableName } from '../domain/records.ts';
import { memoryStore } from './memory.ts';
import { type DataFileOptions, type Migration, openDataFile } from './sqlite-file.ts';
import { type FileTable, linesOf, logTable, rowTable } from './sqlite-tables.ts';
import { tableNames as names, rowsOf, watchedStore } from './watched-table.ts';

/** Creates the tables that a file of an earlier version does not have yet. */
const createTables: Migration = (db) => {
  for (const name of names) {
    db.exec(
      `CREATE TABLE IF NOT EXISTS "${name}" (id TEXT PRIMARY KEY, row TEXT NOT NULL) WITHOUT ROWID`,
    );
  }
};

/** From one line of a log in each row to many. */
const gatherLines: Migration = (db) => {
  for (const name of names.filter(isLog)) db.exec(`UPDATE "${name}" SET row = '[' || row || ']'`);
};

/** One step for every version: the second one added the signing keys. */
const migrations: readonly Migration[] = [createTables, createTables, gatherLines];

/** How long the newest lines of the logs wait for each other. */
const LOG_DELAY_MS = 100;

/** A store in an SQLite file. */
export interface SqliteStore extends Store {
  /** Resolves once everything written so far is committed, except for log lines; undefined when it already is. */
  flushed(): Promise<void> | undefined;
  /** Commits what is not committed yet and closes the file. */
  close(): void;
}

/**
 * Keeps the working set in memory and every change in a file. All writes of one turn of the event loop share one
 * transaction; wait for `flushed` before acknowledging a change. Log lines, which acknowledge nothing, are committed
 * within 100 ms. If a commit fails, the next one includes its changes.
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
  let logTimer: ReturnType<typeof setTimeout> | undefined;

  function watch(name: TableName): (id: string) => void {
    const { changed } = changes.tables[name];
    if (isLog(name)) {
      return (id) => {
        changed(id);
        logTimer ??= setTimeout(commitLogs, LOG_DELAY_MS);
      };
    }
    return (id) => {
      if (changed(id) && !changes.pending && !isLogCounter(name, id)) commitSoon();
    };
  }

  function commitSoon(): void {
    changes.pending = true;
    void commits.next();
  }

  function commitLogs(): void {
    logTimer = undefined;
    changes.includeLogs = true;
    void commits.next();
  }

  return {
    ...watchedStore(memory, {
      beforeChange() {
        if (closed) throw new Error('Failed to write: the data file is closed.');
      },
      watch,
      replaced() {
        changes.replaceAll();
        commitSoon();
      },
    }),
    flushed: () => (changes.pending ? commits.next() : undefined),
    readableUnsaved: true,
    close() {
      if (closed) return;
      closed = true;
      clearTimeout(logTimer);
      changes.includeLogs = true;
      try {
        changes.commit();
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
      if (isLog(name)) for (const line of linesOf(row)) table.put(line);
      else table.put(JSON.parse(String(row)));
    }
  }
}

/** What the file does not have yet, and the commit that writes it. */
function createChangeLog(db: DatabaseSync, memory: Store) {
  const tables = Object.fromEntries(
    names.map((name) => [
      name,
      (isLog(name) ? logTable : rowTable)(db, name, rowsOf(memory, name)),
    ]),
  ) as Record<TableName, FileTable>;
  let replaced = false;

  return {
    tables,
    /** Whether something that a response acknowledges is not committed yet. */
    pending: false,
    /** Whether the next commit writes the logs as well. */
    includeLogs: false,
    /** Every row in the file is outdated. */
    replaceAll() {
      replaced = true;
      this.includeLogs = true;
      for (const name of names) tables[name].replaceAll();
    },
    commit() {
      const written = names
        .filter((name) => this.includeLogs || !isLog(name))
        .map((name) => tables[name]);
      db.exec('BEGIN');
      try {
        for (const table of written) table.write();
        db.exec('COMMIT');
      } catch (error) {
        rollBack(db);
        // Reported to the next one who waits, whether or not somebody waits for this commit.
        this.pending = true;
        throw error;
      }
      for (const table of written) table.committed();
      if (replaced) shrink(db);
      replaced = false;
      this.pending = false;
      this.includeLogs = false;
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
