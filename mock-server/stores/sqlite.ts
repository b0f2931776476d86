import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Store, StoreSnapshot, Table } from '../domain/ports.ts';
import { indexes, type TableName, type Tables } from '../domain/records.ts';
import { memoryStore } from './memory.ts';
import { type DataFileOptions, type Migration, openDataFile } from './sqlite-file.ts';

type Row = { readonly id: string };

const names = Object.keys(indexes) as TableName[];

const migrations: readonly Migration[] = [
  (db) => {
    for (const name of names) {
      db.exec(`CREATE TABLE "${name}" (id TEXT PRIMARY KEY, row TEXT NOT NULL) WITHOUT ROWID`);
    }
  },
];

export interface SqliteStore extends Store {
  /** Settles once all that was written so far is committed; undefined when nothing waits. */
  flushed(): Promise<void> | undefined;
  /** Commits what waits and closes the file. */
  close(): void;
}

interface Statements {
  readonly upsert: StatementSync;
  readonly remove: StatementSync;
  readonly clear: StatementSync;
}

interface Batch {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(reason: unknown): void;
}

function newBatch(): Batch {
  const batch = {} as { -readonly [K in keyof Batch]: Batch[K] };
  batch.promise = new Promise((resolve, reject) => {
    batch.resolve = resolve;
    batch.reject = reject;
  });
  // A failed commit is reported to whoever waits for it; nobody may.
  batch.promise.catch(() => {});
  return batch;
}

function statementsOf(db: DatabaseSync, name: TableName): Statements {
  return {
    upsert: db.prepare(
      `INSERT INTO "${name}" (id, row) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET row = excluded.row`,
    ),
    remove: db.prepare(`DELETE FROM "${name}" WHERE id = ?`),
    clear: db.prepare(`DELETE FROM "${name}"`),
  };
}

/**
 * Keeps the working set in memory and every change in a file. What one turn of the event loop writes shares
 * one transaction; whoever acknowledges a change waits for `flushed` first. A commit that fails keeps its
 * changes for the next one.
 *
 * @throws DataFileError when the file is foreign, newer, damaged or in use, or Node is older than 22.13.
 */
export function sqliteStore(path: string, options: DataFileOptions = {}): SqliteStore {
  const db = openDataFile(path, migrations, options);
  const memory = memoryStore();
  const statements = new Map(names.map((name) => [name, statementsOf(db, name)]));
  const dirty = new Map(names.map((name) => [name, new Set<string>()]));
  const open = (name: TableName) => memory.table(name) as unknown as Table<Row>;
  let replaced = false;
  let uncommitted = false;
  let batch: Batch | undefined;
  let closed = false;

  for (const name of names) {
    const table = open(name);
    for (const { row } of db.prepare(`SELECT row FROM "${name}" ORDER BY id`).iterate()) {
      table.put(JSON.parse(String(row)));
    }
  }

  function rollBack(): void {
    try {
      db.exec('ROLLBACK');
    } catch {
      // SQLite ended the transaction itself, as it does when the disk is full.
    }
  }

  function commit(): void {
    db.exec('BEGIN');
    try {
      for (const [name, ids] of dirty) {
        const { upsert, remove, clear } = statements.get(name) as Statements;
        if (replaced) clear.run();
        const table = open(name);
        for (const id of ids) {
          const row = table.get(id);
          if (row) upsert.run(id, JSON.stringify(row));
          else if (!replaced) remove.run(id);
        }
      }
      db.exec('COMMIT');
    } catch (error) {
      rollBack();
      throw error;
    }
    replaced = false;
    uncommitted = false;
    for (const ids of dirty.values()) ids.clear();
  }

  function flush(): void {
    const current = batch;
    batch = undefined;
    if (!current) return;
    try {
      if (!closed) commit();
      current.resolve();
    } catch (error) {
      current.reject(error);
    }
  }

  function flushLater(): Promise<void> {
    if (!batch) {
      batch = newBatch();
      setImmediate(flush);
    }
    return batch.promise;
  }

  function changed(): void {
    if (closed) throw new Error('The data file is closed.');
    uncommitted = true;
    void flushLater();
  }

  const tables = new Map<TableName, Table<Row>>(
    names.map((name) => {
      const table = open(name);
      const ids = dirty.get(name) as Set<string>;
      const watched: Table<Row> = {
        ...table,
        put(row) {
          changed();
          ids.add(row.id);
          table.put(row);
        },
        delete(id) {
          if (!table.get(id)) return false;
          changed();
          ids.add(id);
          return table.delete(id);
        },
      };
      return [name, watched];
    }),
  );

  return {
    table: <T extends TableName>(name: T) => tables.get(name) as unknown as Table<Tables[T]>,
    transaction: (work) => memory.transaction(work),
    snapshot: () => memory.snapshot(),
    restore(snapshot: StoreSnapshot) {
      changed();
      memory.restore(snapshot);
      replaced = true;
      for (const name of names) {
        const ids = dirty.get(name) as Set<string>;
        ids.clear();
        for (const { id } of open(name).oldest({ limit: Number.POSITIVE_INFINITY })) ids.add(id);
      }
    },
    flushed: () => (uncommitted ? flushLater() : undefined),
    close() {
      if (closed) return;
      closed = true;
      try {
        if (uncommitted) commit();
      } finally {
        db.close();
      }
    },
  };
}
