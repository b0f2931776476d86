import type { DatabaseSync } from 'node:sqlite';
import { assertOptions, flag } from '../domain/options.ts';
import type { Store } from '../domain/ports.ts';
import type { TableName } from '../domain/records.ts';
import { memoryStore } from './memory.ts';
import { type DataFileOptions, openDataFile, unsaved } from './sqlite-file.ts';
import { type FileTable, linesOf, logTable, rowTable } from './sqlite-tables.ts';
import {
  isLog,
  isLogCounter,
  LOG_DELAY_MS,
  tableNames as names,
  rowsOf,
  watchedStore,
} from './watched-table.ts';

/** With row ids: without them, a row that grows is more expensive. */
function createTables(db: DatabaseSync): void {
  for (const name of names) {
    db.exec(`CREATE TABLE "${name}" (id TEXT PRIMARY KEY, row TEXT NOT NULL)`);
  }
}

/** A store in an SQLite file. */
export interface SqliteStore extends Store {
  /** Resolves once everything written so far is committed, except for log lines; undefined when it already is. */
  flushed(): Promise<void> | undefined;
  /** Commits the remaining changes and closes the file. */
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
  assertOptions('open the data file', options, { fsync: flag });
  const db = openDataFile(path, createTables, options);
  const memory = memoryStore();
  load(db, memory);
  const changes = createChangeLog(db, memory, path);
  const commits = createCommitQueue(() => {
    if (!closed) changes.commit();
    else if (changes.pending) throw closedError();
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
        if (closed) throw closedError();
      },
      watch,
      replaced() {
        changes.replaceAll();
        commitSoon();
      },
    }),
    flushed: () => (changes.pending ? commits.next() : undefined),
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

const closedError = () => new Error('Failed to write: the data file is closed.');

function load(db: DatabaseSync, memory: Store): void {
  for (const name of names) {
    const table = rowsOf(memory, name);
    for (const row of rowsInFile(db, name)) {
      if (isLog(name)) for (const line of linesOf(row)) table.put(line);
      else table.put(JSON.parse(String(row)));
    }
  }
}

/** Reads in pages: Node 22 can collect, and so end, a statement while `iterate` still returns its rows. */
function* rowsInFile(db: DatabaseSync, name: TableName): Iterable<unknown> {
  const page = db.prepare(`SELECT id, row FROM "${name}" WHERE id > ? ORDER BY id LIMIT 1000`);
  let last: string | undefined = '';
  while (last !== undefined) {
    const found = page.all(last);
    for (const { row } of found) yield row;
    last = found.at(-1)?.['id'] as string | undefined;
  }
}

/** Tracks which rows differ between memory and the file, and commits them. */
function createChangeLog(db: DatabaseSync, memory: Store, path: string) {
  const tables = Object.fromEntries(
    names.map((name) => [
      name,
      (isLog(name) ? logTable : rowTable)(db, name, rowsOf(memory, name)),
    ]),
  ) as Record<TableName, FileTable>;
  let replaced = false;

  return {
    tables,
    /** Whether a change that a response might acknowledge is not committed yet. */
    pending: false,
    /** Whether the next commit writes the logs as well. */
    includeLogs: false,
    /** Marks every row in the file as outdated. */
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
        // Reported to the next caller that waits, even if nobody waits for this commit.
        this.pending = true;
        throw unsaved(path, error);
      }
      for (const table of written) table.committed();
      if (replaced) shrink(db);
      replaced = false;
      this.pending = false;
      this.includeLogs = false;
    },
  };
}

/** Frees the space of deleted rows. A failure is ignored: the file works without it. */
function shrink(db: DatabaseSync): void {
  try {
    db.exec('VACUUM');
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // The disk has no room for the copy that VACUUM makes.
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
    // Callers that wait for it get the error. Without them it would be an unhandled rejection.
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
