import type { Store, Table } from '../domain/ports.ts';
import { indexes, type TableName } from '../domain/records.ts';
import type { Row } from './memory.ts';

export const tableNames = Object.keys(indexes) as TableName[];

/** A table whose rows the store copies without looking into them. */
export const rowsOf = (store: Store, name: TableName) => store.table(name) as unknown as Table<Row>;

/** The same table, but it records the ids of the rows that change. */
export function watchedTable(
  table: Table<Row>,
  beforeChange: () => void,
  changed: (id: string) => void,
): Table<Row> {
  return {
    ...table,
    put(row) {
      beforeChange();
      changed(row.id);
      table.put(row);
    },
    delete(id) {
      if (!table.get(id)) return false;
      beforeChange();
      changed(id);
      return table.delete(id);
    },
  };
}
