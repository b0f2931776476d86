import type { Store, StoreSnapshot, Table } from '../domain/ports.ts';
import { indexes, type TableName, type Tables } from '../domain/records.ts';
import { createMemoryTable, type MemoryTable, type Row } from './memory-table.ts';

interface Change {
  readonly table: MemoryTable;
  readonly id: string;
  readonly previous: Row | undefined;
}

/** Keeps everything in this process's memory. */
export function memoryStore(): Store {
  const names = Object.keys(indexes) as TableName[];
  const tables = {} as Record<TableName, MemoryTable>;
  /** What the open transaction has changed so far. */
  let changes: Change[] | undefined;

  for (const name of names) {
    const table = createMemoryTable(name, indexes[name], (id, previous) => {
      changes?.push({ table, id, previous });
    });
    tables[name] = table;
  }

  return {
    table<T extends TableName>(name: T) {
      return tables[name] as unknown as Table<Tables[T]>;
    },
    transaction(work) {
      if (changes) return work();
      changes = [];
      try {
        return work();
      } catch (error) {
        const undone = changes.reverse();
        changes = undefined;
        for (const { table, id, previous } of undone) {
          if (previous) table.put(previous);
          else table.delete(id);
        }
        throw error;
      } finally {
        changes = undefined;
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
