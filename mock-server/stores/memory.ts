import type { Store, StoreSnapshot, Table } from '../domain/ports.ts';
import { indexes, logs, type TableName, type Tables } from '../domain/records.ts';
import { keyedTable } from './keyed-table.ts';
import { logTable } from './log-table.ts';
import type { MemoryTable, Row } from './table.ts';

interface Change {
  readonly table: MemoryTable;
  readonly id: string;
  readonly previous: Row | undefined;
}

/** Keeps everything in this process's memory. */
export function memoryStore(): Store {
  const names = Object.keys(indexes) as TableName[];
  const tables = {} as Record<TableName, MemoryTable>;
  let log: Change[] | undefined;

  for (const name of names) {
    const createTable = logs.has(name) ? logTable : keyedTable;
    const table = createTable(name, indexes[name], (id, previous) => {
      log?.push({ table, id, previous });
    });
    tables[name] = table;
  }

  return {
    table<T extends TableName>(name: T) {
      return tables[name] as unknown as Table<Tables[T]>;
    },
    transaction(work) {
      if (log) return work();
      const changes: Change[] = [];
      log = changes;
      try {
        return work();
      } catch (error) {
        log = undefined;
        for (const { table, id, previous } of changes.reverse()) {
          if (previous) table.put(previous);
          else table.delete(id);
        }
        throw error;
      } finally {
        log = undefined;
      }
    },
    snapshot() {
      const all = Object.fromEntries(names.map((name) => [name, tables[name].rows()]));
      return JSON.parse(JSON.stringify(all)) as StoreSnapshot;
    },
    restore(snapshot) {
      const all = JSON.parse(JSON.stringify(snapshot)) as Record<string, Row[] | undefined>;
      for (const name of names) {
        tables[name].clear();
        for (const row of all[name] ?? []) tables[name].put(row);
      }
    },
  };
}
